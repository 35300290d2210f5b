// score: 100
// Blocks stay and stride over tiles of 64 x 8 pixels. Even tiles are counted from the front and odd
// ones from the end of the image. Pixels are kept in a one-dimensional numbering of the tile.
#include "convolution.h"

namespace strides {

constexpr int kWidth = 64, kHeight = 8, kThreads = 256;
constexpr int kPitch = kWidth + 2 * kMaxRadius;

__constant__ float mask_values[225];

__device__ int clamped(int i, int n) { return i < 0 ? 0 : (i < n ? i : n - 1); }

__global__ void worker(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tile[(kHeight + 2 * kMaxRadius) * kPitch];
  const unsigned across = (width - 1) / kWidth + 1;
  const unsigned tiles = across * ((height - 1) / kHeight + 1);
  const int pitch = kWidth + 2 * radius;
  const int area = pitch * (kHeight + 2 * radius);
  const int size = 2 * radius + 1;
  for (unsigned ticket = blockIdx.x; ticket < tiles; ticket += gridDim.x) {
    // Even tickets from the front, odd ones from the end.
    const unsigned number = ticket % 2 == 0 ? ticket / 2 : tiles - 1 - ticket / 2;
    const int left = number % across * kWidth, top = number / across * kHeight;
    for (int i = threadIdx.x; i < area; i += kThreads) {
      const int y = clamped(top + i / pitch - radius, height);
      const int x = clamped(left + i % pitch - radius, width);
      tile[i] = in[static_cast<size_t>(y) * width + x];
    }
    __syncthreads();
    // A thread has two pixels, four rows apart.
    const int column = threadIdx.x % kWidth, row = threadIdx.x / kWidth;
    float a = 0, b = 0;
    for (int j = 0; j < size; ++j) {
      const float* const upper = tile + (row + j) * pitch + column;
      const float* const lower = upper + 4 * pitch;
      for (int i = 0; i < size; ++i) {
        a += mask_values[j * size + i] * upper[i];
        b += mask_values[j * size + i] * lower[i];
      }
    }
    const int x = left + column, y = top + row;
    if (x < width) {
      if (y < height) out[static_cast<size_t>(y) * width + x] = a;
      if (y + 4 < height) out[static_cast<size_t>(y + 4) * width + x] = b;
    }
    __syncthreads();
  }
}

}  // namespace strides

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  using namespace strides;
  const int weights = (2 * radius + 1) * (2 * radius + 1);
  cudaMemcpyToSymbol(mask_values, mask, weights * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  worker<<<40, kThreads>>>(in, out, height, width, radius);
}
