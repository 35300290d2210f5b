// The same kernel as the reference: as fast, but no interval shows that it is not slower.
#include "scale.h"

__global__ void doubled(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int count) {
  doubled<<<(count + 255) / 256, 256>>>(in, out, count);
}
