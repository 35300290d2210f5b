// score: 65
// The tiles have 8 x 8 elements: each serves eight threads and is loaded twice as often as allowed.
// says: sectors loaded
#include "matmul.h"

__global__ void matmul_tile_8(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[8][8];
  __shared__ float bs[8][8];
  int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 8) {
    as[threadIdx.y][threadIdx.x] =
        row < m && p0 + threadIdx.x < k ? a[row * k + p0 + threadIdx.x] : 0;  // expect: sectors
    bs[threadIdx.y][threadIdx.x] =
        p0 + threadIdx.y < k && col < n ? b[(p0 + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int p = 0; p < 8; ++p) sum += as[threadIdx.y][p] * bs[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_tile_8<<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(a, b, c, m, n, k);
}
