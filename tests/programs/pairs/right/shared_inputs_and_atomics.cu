// Four streams read the same input, texture and constants, and add to the same counters by atomics.
// prints: 1510
#include <cstdio>

__constant__ int limits[4] = {10, 100, 500, 900};

__global__ void Count(const int* in, int n, int which, int* counts, int* total) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] < limits[which]) {
      atomicAdd(&counts[which], 1);
      atomicAdd(total, 1);
    }
  }
}

int main() {
  const int n = 1000;
  int host[n], *in, *counts, *total, result;
  for (int i = 0; i < n; i++) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&counts, 4 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, 4 * sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t streams[4];
  for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int s = 0; s < 4; s++) Count<<<4, 64, 0, streams[s]>>>(in, n, s, counts, total);
  for (auto stream : streams) cudaStreamSynchronize(stream);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  for (auto stream : streams) cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(counts);
  cudaFree(total);
}
