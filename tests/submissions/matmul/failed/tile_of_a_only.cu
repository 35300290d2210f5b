// score: 65
// Only a goes through shared memory; b is read from global memory by every row of the block.
#include "matmul.h"

__global__ void matmul_half_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    as[threadIdx.y][threadIdx.x] =
        row < m && p0 + threadIdx.x < k ? a[row * k + p0 + threadIdx.x] : 0;
    __syncthreads();
    for (int p = 0; p < 16 && p0 + p < k; ++p) {
      if (col < n) sum += as[threadIdx.y][p] * b[(p0 + p) * n + col];  // expect: sectors
    }
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_half_tiled<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
