// score: 100
// Each thread halves its 16 pixels again and again, by a function that calls itself.
#include "picture.h"

__device__ __noinline__ void brighten(const float* in, float* out, long long count, int apart) {
  if (count <= 0) return;
  if (count == 1) {
    *out = *in * 2.0f;
    return;
  }
  const long long half = count / 2;
  brighten(in, out, half, apart);
  brighten(in + half * apart, out + half * apart, count - half, apart);
}

// A thread's pixels lie a block apart, so that neighbours in a warp have neighbouring pixels.
__global__ void brighten_all(const float* in, float* out, long long pixels) {
  constexpr int kEach = 16;
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x * kEach + threadIdx.x;
  if (first >= pixels) return;
  const long long left = (pixels - first + blockDim.x - 1) / blockDim.x;
  brighten(in + first, out + first, left < kEach ? left : kEach, blockDim.x);
}

void scale_picture(const float* in, float* out, int width, int height) {
  const long long pixels = static_cast<long long>(width) * height;
  const long long blocks = (pixels + 128 * 16 - 1) / (128 * 16);
  brighten_all<<<static_cast<unsigned>(blocks), 128>>>(in, out, pixels);
}
