// Two streams take memory from a pool and give it back; the pool may give both the same bytes.
// prints: 12288
#include <cstdio>

__global__ void Fill(int* p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void AddUp(const int* p, int n, int* sum) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, p[i]);
}

int main() {
  const int n = 2048;
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t streams[2];
  for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int round = 0; round < 3; round++) {
    for (auto stream : streams) {
      int* scratch;
      cudaMallocAsync(&scratch, n * sizeof(int), stream);
      Fill<<<n / 256, 256, 0, stream>>>(scratch, 1);
      AddUp<<<1, 256, 0, stream>>>(scratch, n, sum);
      cudaFreeAsync(scratch, stream);
    }
  }
  cudaDeviceSynchronize();
  int result;
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  for (auto stream : streams) cudaStreamDestroy(stream);
  cudaFree(sum);
}
