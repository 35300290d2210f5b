// A graph allocates memory for its own use.
// WRONG: the node that frees the memory depends on the first of two kernels only.
// finds: unordered_use
// prints: 8
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Store(int* a) { a[threadIdx.x] = 4; }
__global__ void Twice(const int* a, int* b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }

int main() {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.poolProps.location.id = 0;
  memory.bytesize = sizeof host;
  cudaGraphNode_t allocate, store, twice, release;
  cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory);
  void* a = memory.dptr;
  void* store_arguments[] = {&a};
  void* twice_arguments[] = {&a, &out};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(Store);
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = store_arguments;
  cudaGraphAddKernelNode(&store, graph, &allocate, 1, &params);
  params.func = reinterpret_cast<void*>(Twice);
  params.kernelParams = twice_arguments;
  cudaGraphAddKernelNode(&twice, graph, &store, 1, &params);  // named
#ifdef WRONG
  cudaGraphAddMemFreeNode(&release, graph, &store, 1, a);  // named
#else
  cudaGraphAddMemFreeNode(&release, graph, &twice, 1, a);
#endif
  cudaGraphExec_t exec;
  cudaError_t error = cudaGraphInstantiate(&exec, graph, 0);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  cudaGraphLaunch(exec, 0);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(out);
}
