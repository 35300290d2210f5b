// This program uses the runtime API from host code in every way that the tests need: launches and
// variables.
#include <cuda_runtime.h>

#include <utility>

struct Mixed {
  char letter;
  double factor;
  float* data;
};

__device__ int table[4];
__constant__ float weights[8];
__managed__ int counter;

__global__ void mixed(Mixed m, int n, char c, double x, short s, const float* p) {
  extern __shared__ float shared[];
  shared[threadIdx.x] = p[n] + weights[n];
  m.data[threadIdx.x] = float(m.factor * x) + c + s + m.letter + shared[n] + table[n];
  ++counter;
}

__global__ void nothing() {}

extern "C" {

int launch_mixed(float* data, const float* p, int n) {
  Mixed m{'L', 0.5, data};
  mixed<<<dim3(2, 3, 4), dim3(32, 2), 256>>>(m, n, 'c', 2.25, short(-7), p);
  return cudaPeekAtLastError();
}

int launch_nothing(unsigned grid, unsigned block, std::size_t shared) {
  nothing<<<grid, block, shared>>>();
  return cudaPeekAtLastError();
}

int launch_cuda12() {
  return cudaLaunchKernel((const void*)nothing, dim3(5), dim3(6), nullptr, 0, nullptr);
}

int launch_cooperative() {
  return cudaLaunchCooperativeKernel((const void*)nothing, dim3(5), dim3(6), nullptr, 0, nullptr);
}

int launch_ex(int cooperative) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = cooperative;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(7);
  config.blockDim = dim3(8);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, nothing);
}

int allow_shared(int bytes) {
  return cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

int write_table(const int* values) { return cudaMemcpyToSymbol(table, values, sizeof(table)); }
int read_table(int* values) { return cudaMemcpyFromSymbol(values, table, sizeof(table)); }
int write_past_table(const int* values) { return cudaMemcpyToSymbol(table, values, 8, 12); }
int table_address(void** p) { return cudaGetSymbolAddress(p, table); }
int weights_size(std::size_t* bytes) { return cudaGetSymbolSize(bytes, weights); }

int add_to_counter(int n) { return counter += n; }
int* counter_address() { return &counter; }

int best_block(int* grid, int* block) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, nothing, 0, 0);
}
int properties(cudaDeviceProp* p) { return cudaGetDeviceProperties(p, 0); }
const void* nothing_stub() { return (const void*)nothing; }
int share_memory(void* pointer) {
  cudaIpcMemHandle_t handle;
  return cudaIpcGetMemHandle(&handle, pointer);
}
}
