// score: 0
// says: wrong
// A sum ends after a thousand products.
#include "matmul.h"

__global__ void a_thousand_terms(const float* a, const float* b, float* c, int m, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * n) return;
  float sum = 0;
  for (int p = 0; p < k && p < 1000; ++p) sum += a[i / n * k + p] * b[p * n + i % n];
  c[i] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  a_thousand_terms<<<(m * n - 1) / 128 + 1, 128>>>(a, b, c, m, n, k);
}
