// Arguments of a graph's kernel are changed while an earlier launch may still run: this launch
// keeps the old ones. The graph itself is destroyed right after its instantiation. prints: 3
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Add(int* sum, int v) { *sum += v; }

int main() {
  int *sum, host, value = 1;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&sum, &value};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(Add);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraphLaunch(exec, s);
  value = 2;
  cudaGraphExecKernelNodeSetParams(exec, node, &params);
  cudaGraphLaunch(exec, s);
  cudaGraphDestroy(graph);
  cudaStreamSynchronize(s);
  cudaMemcpy(&host, sum, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  cudaGraphExecDestroy(exec);
  cudaStreamDestroy(s);
  cudaFree(sum);
}
