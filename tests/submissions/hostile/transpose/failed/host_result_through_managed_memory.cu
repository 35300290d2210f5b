// score: 0
// says: the host
// The host computes in managed memory, and kernels copy the result.
#include "transpose.h"

__global__ void carry(const float* from, float* to, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  const size_t count = static_cast<size_t>(rows) * cols;
  const unsigned blocks = static_cast<unsigned>((count + 255) / 256);
  float *a = nullptr, *b = nullptr;
  cudaMallocManaged(&a, count * sizeof(float));
  cudaMallocManaged(&b, count * sizeof(float));
  carry<<<blocks, 256>>>(in, a, count);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      b[static_cast<size_t>(c) * rows + r] = a[static_cast<size_t>(r) * cols + c];
    }
  }
  carry<<<blocks, 256>>>(b, out, count);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
