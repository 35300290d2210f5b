// score: 0
// says: __launch_bounds__(1024)
// says: the program did not check this error
#include "matmul.h"

constexpr int kValues = 96;
__device__ volatile float zeros[kValues];

// Keeps 96 values of its own in each of 1,024 threads.
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  int across = (n + 31) / 32;
  int row = blockIdx.x / across * 32 + threadIdx.y, col = blockIdx.x % across * 32 + threadIdx.x;
  float values[kValues], sum = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = zeros[i];
  if (row < m && col < n) {
    for (int p = 0; p < k; ++p) sum += a[(size_t)row * k + p] * b[(size_t)p * n + col];
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i) sum += values[i] * zeros[i];
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  product<<<(m + 31) / 32 * ((n + 31) / 32), dim3(32, 32)>>>(a, b, c, m, n, k);
}
