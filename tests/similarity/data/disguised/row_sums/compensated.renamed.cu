// This uses error-corrected summation, so that long lines stay precise.
#include "row_sums.h"

__global__ void precise(const float* matrix, float* result, int height, int width) {
  const int part = threadIdx.x % 8;
  const int line = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  double value = 0;
  if (line < height) {
    float acc = 0, err = 0;
    for (int j = part; j < width; j += 8) {
      const float corrected = matrix[static_cast<size_t>(line) * width + j] - err;
      const float next = acc + corrected;
      err = (next - acc) - corrected;
      acc = next;
    }
    value = acc;
  }
  for (int off = 4; off > 0; off /= 2) {
    value += __shfl_down_sync(0xFFFFFFFF, value, off, 8);
  }
  if (part == 0 && line < height) result[line] = static_cast<float>(value);
}

void row_sums(const float* matrix, float* result, int height, int width) {
  precise<<<(height + 31) / 32, 256>>>(matrix, result, height, width);
}
