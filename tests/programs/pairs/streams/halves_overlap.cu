// Two streams work on the two halves of one array.
// WRONG: the first half is rounded up to whole blocks and has no bound.
// finds: unordered_use
// prints: 0 wrong
#include <cstdio>

__global__ void Increment(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef WRONG
  x[i]++;
  (void)n;
#else
  if (i < n) x[i]++;
#endif
}

int main() {
  const int n = 2000, half = n / 2, threads = 128;
  int* x;
  cudaMalloc(&x, (n + 256) * sizeof(int));
  cudaMemset(x, 0, (n + 256) * sizeof(int));
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  for (int s = 0; s < 2; s++) {
    const int blocks = (half + threads - 1) / threads;
    Increment<<<blocks, threads, 0, streams[s]>>>(x + s * half, half);  // named
  }
  cudaDeviceSynchronize();
  int result[n];
  cudaMemcpy(result, x, sizeof(result), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int value : result) wrong += value != 1;
  printf("%d wrong\n", wrong);
  cudaStreamDestroy(streams[0]);
  cudaStreamDestroy(streams[1]);
  cudaFree(x);
}
