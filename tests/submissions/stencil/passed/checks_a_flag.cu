// score: 100
// The work has two parts; between them the host reads a flag and the first results, and continues
// if nothing was wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "stencil.h"

constexpr int kBlock = 256;
constexpr int kTile = kBlock + 2 * kRadius;

__device__ int too_far;

__global__ void sum_part(const float* in, float* out, int first_block, int n) {
  __shared__ float tile[kTile];
  const int first = (first_block + blockIdx.x) * kBlock;
  for (int i = threadIdx.x; i < kTile; i += kBlock) {
    const int element = first + i - kRadius;
    tile[i] = element >= 0 && element < n ? in[element] : 0;
  }
  __syncthreads();
  if (first >= n) too_far = 1;
  const int element = first + threadIdx.x;
  if (element >= n) return;
  float sum = 0;
  for (int offset = 0; offset <= 2 * kRadius; ++offset) sum += tile[threadIdx.x + offset];
  out[element] = sum;
}

void stencil(const float* in, float* out, int n) {
  const int blocks = (n + kBlock - 1) / kBlock, half = (blocks + 1) / 2;
  sum_part<<<half, kBlock>>>(in, out, 0, n);
  int flag = 0;
  cudaMemcpyFromSymbol(&flag, too_far, sizeof flag);
  std::vector<float> shown(std::min(n, half * kBlock));
  cudaMemcpy(shown.data(), out, shown.size() * sizeof(float), cudaMemcpyDeviceToHost);
  const float largest = *std::max_element(shown.begin(), shown.end());
  if (flag != 0) std::printf("out of range\n");
  if (n < 300) std::printf("at most %f\n", largest);
  if (flag == 0 && blocks > half) sum_part<<<blocks - half, kBlock>>>(in, out, half, n);
}
