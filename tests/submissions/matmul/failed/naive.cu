// score: 65
// Each thread computes one element, and loads every element of a and b from global memory again.
#include "matmul.h"

__global__ void matmul_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += a[row * k + i] * b[i * n + col];  // expect: sectors
    }
    c[row * n + col] = sum;
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_naive<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
