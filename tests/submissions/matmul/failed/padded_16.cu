// score: 85
// A column of padding moves the second row of a pair into a bank of the first, though rows of 16
// words are served in pairs. Without the padding there would be no conflict.
#include "matmul.h"

__global__ void matmul_padded(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][17];
  __shared__ float bs[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    int pa = p0 + threadIdx.x, pb = p0 + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < m && pa < k ? a[row * k + pa] : 0;  // expect: bank conflict
    bs[threadIdx.y][threadIdx.x] = pb < k && col < n ? b[pb * n + col] : 0;  // expect: bank conflict
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += as[threadIdx.y][p] * bs[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_padded<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
