// Functions with launches that tests of graphs capture, and kernels for nodes.
#include <cuda_runtime.h>

__device__ int table[4];

__global__ void set(int* data, int value) { *data = value; }
__global__ void add(int* data, int value) { *data += value; }

extern "C" {

const void* set_stub() { return (const void*)set; }
const void* add_stub() { return (const void*)add; }
const void* table_symbol() { return table; }

int launch_set(int* data, int value, cudaStream_t stream) {
  set<<<2, 3, 0, stream>>>(data, value);
  return cudaGetLastError();
}

}
