// score: 0
// The kernel gets a pointer to memory of the host.
#include <vector>

#include "matmul.h"

__global__ void matmul_staged(const float* a, const float* b, float* c, int m, int n, int k) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];  // expect: host
    c[row * n + col] = sum;
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  std::vector<float> copy(static_cast<size_t>(m) * k);
  cudaMemcpy(copy.data(), a, copy.size() * sizeof(float), cudaMemcpyDeviceToHost);
  matmul_staged<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(copy.data(), b, c, m, n, k);
}
