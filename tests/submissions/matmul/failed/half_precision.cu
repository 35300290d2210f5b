// score: 0
// says: wrong
// The tiles hold halves, which have a quarter of a float's digits.
#include <cuda_fp16.h>

#include "matmul.h"

__global__ void matmul_half_precision(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __half as[16][16];
  __shared__ __half bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    as[y][x] = row < m && p0 + x < k ? __float2half(a[row * k + p0 + x]) : __half(0);
    bs[y][x] = p0 + y < k && col < n ? __float2half(b[(p0 + y) * n + col]) : __half(0);
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += __half2float(as[y][p]) * __half2float(bs[p][x]);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_half_precision<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
