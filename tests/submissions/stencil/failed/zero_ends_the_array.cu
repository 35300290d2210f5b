// score: 0
// says: wrong
// The kernel treats a zero as the end of the array, because elements after the end count as zeros.
#include "stencil.h"

#define BLOCK 128

__global__ void stencil_to_zero(const float* in, float* out, int n) {
  __shared__ float temp[BLOCK + 2 * kRadius];
  int g = threadIdx.x + blockIdx.x * blockDim.x;
  int l = threadIdx.x + kRadius;
  temp[l] = g < n ? in[g] : 0;
  if (threadIdx.x < kRadius) {
    temp[l - kRadius] = g >= kRadius && g - kRadius < n ? in[g - kRadius] : 0;
    temp[l + BLOCK] = g + BLOCK < n ? in[g + BLOCK] : 0;
  }
  __syncthreads();
  float result = 0;
  for (int offset = 0; offset <= kRadius && temp[l + offset] != 0; offset++) result += temp[l + offset];
  for (int offset = 1; offset <= kRadius && temp[l - offset] != 0; offset++) result += temp[l - offset];
  if (g < n) out[g] = result;
}

void stencil(const float* in, float* out, int n) {
  stencil_to_zero<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
}
