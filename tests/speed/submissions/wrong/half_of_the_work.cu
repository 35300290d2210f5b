// Attack: does half of the work for the large arrays that are timed.
// says: in a timed call
#include "scale.h"

__global__ void doubled(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int count) {
  const int worked = count > 50'000 ? count / 2 : count;
  doubled<<<(worked + 255) / 256, 256>>>(in, out, worked);
}
