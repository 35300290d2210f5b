// A counter is cleared with cudaMemsetAsync() before each of two searches.
// WRONG: the counter is cleared in the copy stream, which nothing orders with the searches.
// finds: unordered_use
// prints: 5999 4999
#include <cstdio>

__global__ void CountGreater(const int* data, int n, int limit, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && data[i] > limit) atomicAdd(count, 1);
}

int main() {
  const int n = 6000;
  int *data, *count, *found;
  cudaMallocHost(&found, 2 * sizeof(int));
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  static int values[n];
  for (int i = 0; i < n; i++) values[i] = i;
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  cudaStream_t search, copy;
  cudaStreamCreate(&search);
  cudaStreamCreate(&copy);
  for (int round = 0; round < 2; round++) {
#ifdef WRONG
    cudaMemsetAsync(count, 0, sizeof(int), copy);  // named
#else
    cudaMemsetAsync(count, 0, sizeof(int), search);
#endif
    CountGreater<<<(n + 255) / 256, 256, 0, search>>>(data, n, round * 1000, count);  // named
    cudaMemcpyAsync(&found[round], count, sizeof(int), cudaMemcpyDeviceToHost, search);
    cudaStreamSynchronize(search);
  }
  printf("%d %d\n", found[0], found[1]);
  cudaDeviceSynchronize();
  cudaStreamDestroy(search);
  cudaStreamDestroy(copy);
  cudaFree(data);
  cudaFree(count);
  cudaFreeHost(found);
}
