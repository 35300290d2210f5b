// score: 85
// The tile of a is stored turned round: the threads of a warp store into one or two banks.
#include "matmul.h"

__global__ void matmul_turned(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][32];
  __shared__ float bs[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 32) {
    float value = row < m && p0 + threadIdx.x < k ? a[row * k + p0 + threadIdx.x] : 0;
    as[threadIdx.x][threadIdx.y] = value;  // expect: bank conflict
    bs[threadIdx.y][threadIdx.x] =
        p0 + threadIdx.y < k && col < n ? b[(p0 + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int p = 0; p < 32; ++p) sum += as[p][threadIdx.y] * bs[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_turned<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 32)>>>(a, b, c, m, n, k);
}
