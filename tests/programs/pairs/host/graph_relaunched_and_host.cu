// A captured graph copies a pinned buffer to the device and scales it; it is launched for each
// batch. WRONG: the buffer is filled for the next launch while the last one may still read it.
// finds: early_host_use
// prints: 6000
#include <cstdio>

__global__ void Accumulate(const int* in, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

int main() {
  const int n = 1000;
  int *host, *in, *sum;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  Accumulate<<<4, 256, 0, stream>>>(in, sum, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int batch = 1; batch <= 3; batch++) {
    for (int i = 0; i < n; i++) {
      host[i] = batch;  // named
    }
    cudaGraphLaunch(exec, stream);
#ifndef WRONG
    cudaStreamSynchronize(stream);
#endif
  }
  cudaStreamSynchronize(stream);
  int result = 0;
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(in);
  cudaFree(sum);
}
