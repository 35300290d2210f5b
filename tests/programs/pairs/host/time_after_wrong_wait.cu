// Each of three kernels in a stream of its own is timed with two events.
// WRONG: the host waits for the first event of each pair instead of the second.
// finds: early_time
// prints: 3 times
#include <cstdio>

__global__ void Add(int* sums) { sums[threadIdx.x] += 1; }

int main() {
  int* sums;
  cudaMalloc(&sums, 64 * sizeof(int));
  cudaMemset(sums, 0, 64 * sizeof(int));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int times = 0;
  for (int i = 0; i < 3; i++) {
    cudaEventRecord(start, stream);
    Add<<<1, 64, 0, stream>>>(sums);
    cudaEventRecord(stop, stream);  // named
#ifdef WRONG
    cudaEventSynchronize(start);
#else
    cudaEventSynchronize(stop);
#endif
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);  // named
    if (ms >= 0) times++;
  }
  printf("%d times\n", times);
  cudaStreamSynchronize(stream);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaStreamDestroy(stream);
  cudaFree(sums);
}
