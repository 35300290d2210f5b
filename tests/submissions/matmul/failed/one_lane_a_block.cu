// score: 55
// Each element has its own block of a single thread.
#include "matmul.h"

__global__ void matmul_alone(const float* a, const float* b, float* c, int m, int n, int k) {
  int col = blockIdx.x % n;
  int row = blockIdx.x / n;
  float sum = 0;
  for (int p = 0; p < k; ++p) {
    sum += a[row * k + p] * b[p * n + col];  // expect: 1 of 32 lanes active
  }
  c[row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul_alone<<<m * n, 1>>>(a, b, c, m, n, k);
}
