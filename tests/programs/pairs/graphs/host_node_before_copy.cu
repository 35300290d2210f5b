// WRONG: the host node that reads the result has no edge from the copy, only from the kernel.
// finds: early_host_use
// prints: 160
#include <cuda_runtime.h>

#include <cstdio>

int total;
void Sum(void* data) {
  int sum = 0;
  for (int i = 0; i < 32; i++) sum += static_cast<int*>(data)[i];  // named
  total = sum;
}
__global__ void Fives(int* a) { a[threadIdx.x] = 5; }

int main() {
  int *device, *host;
  cudaMalloc(&device, 128);
  cudaMallocHost(&host, 128);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t kernel, copy, sum;
  void* arguments[] = {&device};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(Fives);
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &params);
  cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, device, 128,  // named
                           cudaMemcpyDeviceToHost);
  cudaHostNodeParams host_params = {Sum, host};
#ifdef WRONG
  cudaGraphAddHostNode(&sum, graph, &kernel, 1, &host_params);
#else
  cudaGraphAddHostNode(&sum, graph, &copy, 1, &host_params);
#endif
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  std::printf("%d\n", total);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(device);
  cudaFreeHost(host);
}
