// WRONG: a kernel goes to the default stream while a blocking stream is captured.
// finds: invalid_capture
// notes: unchecked_launch
// prints: 3
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Store(int* a, int v) { *a = v; }
__global__ void Inc(int* a) { *a += 1; }

int main() {
  int *a, host = 3;
  cudaMalloc(&a, 4);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  Store<<<1, 1, 0, s>>>(a, 2);
#ifdef WRONG
  Inc<<<1, 1>>>(a);  // named
#else
  Inc<<<1, 1, 0, s>>>(a);
#endif
  if (cudaStreamEndCapture(s, &graph) == cudaSuccess) {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(&host, a, 4, cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  std::printf("%d\n", host);
  cudaStreamDestroy(s);
  cudaFree(a);
}
