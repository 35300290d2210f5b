// score: 0
// says: wrong
// says: it is computed from b[0][0]
// Every dot product lacks its last product.
#include "matmul.h"

__global__ void matmul_drops_last_product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    as[y][x] = row < m && p0 + x < k - 1 ? a[row * k + p0 + x] : 0;  // mistake
    bs[y][x] = p0 + y < k && col < n ? b[(p0 + y) * n + col] : 0;
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += as[y][p] * bs[p][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_drops_last_product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
