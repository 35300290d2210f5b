// score: 85
// The tiles are filled without looking at the edges; what lies beyond is multiplied by zero and
// added, or never stored.
#include "matmul.h"

__global__ void matmul_unguarded(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    float left = a[row * k + p0 + threadIdx.x];     // expect: past
    float right = b[(p0 + threadIdx.y) * n + col];  // expect: past
    as[threadIdx.y][threadIdx.x] = p0 + threadIdx.x < k ? left : 0;
    bs[threadIdx.y][threadIdx.x] = p0 + threadIdx.y < k ? right : 0;
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += as[threadIdx.y][p] * bs[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_unguarded<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
