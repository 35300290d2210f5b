// The program asks for the time until the events are done; it waits in three further ways.
// prints: 5 times
#include <cstdio>

__global__ void Double(float* values) { values[threadIdx.x] *= 2; }

int main() {
  float host[32] = {};
  float* values;
  cudaMalloc(&values, sizeof(host));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaStream_t own = nullptr;
  int times = 0;
  for (int way = 0; way < 5; way++) {
    if (way == 4) cudaStreamCreate(&own);
    cudaEventRecord(start, own);
    Double<<<1, 32, 0, own>>>(values);
    cudaEventRecord(stop, own);
    float ms = -1;
    if (way == 0) cudaDeviceSynchronize();
    if (way == 1) cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
    if (way == 2 && cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady) {
      cudaStreamSynchronize(own);
    }
    while (cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady) {
    }
    if (ms >= 0) times++;
  }
  printf("%d times\n", times);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaStreamDestroy(own);
  cudaFree(values);
}
