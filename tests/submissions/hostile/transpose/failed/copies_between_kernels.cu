// score: 0
// says: many small copies rearranged
// The copy engine transposes, a column at a time, between kernels with perfect counters.
#include "transpose.h"

__global__ void carry(const float* from, float* to, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  const size_t count = static_cast<size_t>(rows) * cols;
  const unsigned blocks = static_cast<unsigned>((count + 255) / 256);
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, count * sizeof(float));
  cudaMalloc(&b, count * sizeof(float));
  carry<<<blocks, 256>>>(in, a, count);
  for (int c = 0; c < cols; ++c) {
    cudaMemcpy2D(b + static_cast<size_t>(c) * rows, sizeof(float), a + c, cols * sizeof(float),
                 sizeof(float), rows, cudaMemcpyDeviceToDevice);
  }
  carry<<<blocks, 256>>>(b, out, count);
  cudaFree(a);
  cudaFree(b);
}
