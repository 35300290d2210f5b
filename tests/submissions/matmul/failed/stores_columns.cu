// score: 90
// The tiles are loaded as they should be, but threadIdx.x counts along the rows of c.
#include "matmul.h"

__global__ void matmul_columns(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][33];
  __shared__ float bs[32][33];
  int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 32) {
    as[y][x] = row0 + y < m && p0 + x < k ? a[(row0 + y) * k + p0 + x] : 0;
    bs[y][x] = p0 + y < k && col0 + x < n ? b[(p0 + y) * n + col0 + x] : 0;
    __syncthreads();
    for (int p = 0; p < 32; ++p) sum += as[x][p] * bs[p][y];
    __syncthreads();
  }
  if (row0 + x < m && col0 + y < n) {
    c[(row0 + x) * n + col0 + y] = sum;  // expect: 8 for each needed
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_columns<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 32)>>>(a, b, c, m, n, k);
}
