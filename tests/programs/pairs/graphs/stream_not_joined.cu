// WRONG: the stream that was forked off during the capture is not joined before its end.
// finds: invalid_capture
// prints: 1 2
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Store(int* a, int v) { a[threadIdx.x] = v; }

int main() {
  int *a, *b, host[2] = {1, 2};
  cudaMalloc(&a, 128);
  cudaMalloc(&b, 128);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork);
  Store<<<1, 32, 0, s>>>(a, 1);
  Store<<<1, 32, 0, t>>>(b, 2);
#ifndef WRONG
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join);
#endif
  if (cudaStreamEndCapture(s, &graph) == cudaSuccess) {  // named
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(&host[0], a, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host[1], b, 4, cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  std::printf("%d %d\n", host[0], host[1]);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(a);
  cudaFree(b);
}
