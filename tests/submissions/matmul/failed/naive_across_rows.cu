// score: 55
// threadIdx.x counts along the rows: neighbouring threads read and write elements a row apart.
#include "matmul.h"

__global__ void matmul_across(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    sum += a[row * k + i] * b[i * n + col];  // expect: for each needed
  }
  c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_across<<<dim3((m + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(a, b, c, m, n, k);
}
