// All blocks count the values in one histogram in global memory.
// WRONG: atomicAdd_block() is atomic for the threads of one block only.
// finds: global_race
// prints: 2000 values
#include <cstdio>

__global__ void Histogram(const unsigned char* data, int n, int* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#ifdef WRONG
  atomicAdd_block(&bins[data[i] % 8], 1);  // named
#else
  atomicAdd(&bins[data[i] % 8], 1);
#endif
}

int main() {
  const int n = 2000;
  unsigned char host[n], *data;
  for (int i = 0; i < n; i++) host[i] = i;
  int* bins;
  cudaMalloc(&data, n);
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemset(bins, 0, 8 * sizeof(int));
  cudaMemcpy(data, host, n, cudaMemcpyHostToDevice);
  Histogram<<<(n + 127) / 128, 128>>>(data, n, bins);
  int result[8], sum = 0;
  cudaMemcpy(result, bins, sizeof(result), cudaMemcpyDeviceToHost);
  for (int bin : result) sum += bin;
  printf("%d values\n", sum);
  cudaFree(data);
  cudaFree(bins);
}
