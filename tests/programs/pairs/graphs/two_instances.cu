// Two instances of one graph.
// WRONG: they run in two streams, and both add to the same counter array without an atomic.
// finds: unordered_use
// prints: 2
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Inc(int* a) { a[threadIdx.x]++; }

int main() {
  int *a, host[32];
  cudaMalloc(&a, sizeof host);
  cudaMemset(a, 0, sizeof host);
  cudaDeviceSynchronize();
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  Inc<<<1, 32, 0, s>>>(a);  // named
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t first, second;
  cudaGraphInstantiate(&first, graph, 0);
  cudaGraphInstantiate(&second, graph, 0);
  cudaGraphLaunch(first, s);
#ifdef WRONG
  cudaGraphLaunch(second, t);
#else
  cudaGraphLaunch(second, s);
#endif
  cudaDeviceSynchronize();
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaGraphExecDestroy(first);
  cudaGraphExecDestroy(second);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(a);
}
