// A graph has three kernels: two make inputs, the third adds them.
// WRONG: the third depends on the first only.
// finds: unordered_use
// prints: 3
#include <cstdio>

__global__ void Fill(int* x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void Add(const int* a, const int* b, int* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

int main() {
  int *a, *b, *c;
  const size_t bytes = 512 * sizeof(int);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  int one = 1, two = 2;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t fill[2], add;
  cudaKernelNodeParams parameters = {};
  parameters.gridDim = dim3(2);
  parameters.blockDim = dim3(256);
  void* fill_a[] = {&a, &one};
  void* fill_b[] = {&b, &two};
  void* add_all[] = {&a, &b, &c};
  parameters.func = (void*)Fill;
  parameters.kernelParams = fill_a;
  cudaGraphAddKernelNode(&fill[0], graph, nullptr, 0, &parameters);
  parameters.kernelParams = fill_b;
  cudaGraphAddKernelNode(&fill[1], graph, nullptr, 0, &parameters);
  parameters.func = (void*)Add;
  parameters.kernelParams = add_all;
#ifdef WRONG
  cudaGraphAddKernelNode(&add, graph, fill, 1, &parameters);
#else
  cudaGraphAddKernelNode(&add, graph, fill, 2, &parameters);
#endif
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  int result = 0;
  cudaMemcpy(&result, c + 500, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
