// score: 0
// says: guard the access with an if
// says: this may be a consequence of the access out of bounds
// Threads outside add to elements of the next row, and write past the end.
#include "matmul.h"
__global__ void Mul(const float* a, const float* b, float* c, int m, int n, int k) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  c[row * n + col] = 0;
  for (int p = 0; p < k; ++p) c[row * n + col] += a[row * k + p] * b[p * n + col];
}
void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  Mul<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
