// score: 0
// says: launch
// Each row has its own block in y, but a grid has at most 65,535 blocks there.
#include "matmul.h"

__global__ void matmul_rows_in_grid_y(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    as[y][x] = row < m && p0 + x < k ? a[row * k + p0 + x] : 0;
    bs[y][x] = p0 + y < k && col < n ? b[(p0 + y) * n + col] : 0;
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += as[y][p] * bs[p][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_rows_in_grid_y<<<dim3((n + 15) / 16, m), dim3(16, 16)>>>(a, b, c, m, n, k);
}
