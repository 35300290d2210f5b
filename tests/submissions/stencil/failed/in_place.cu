// score: 0
// says: write the new ones to a second array
// The kernel copies the array and sums in place: a block reads elements that another has replaced.
#include "stencil.h"

__global__ void stencil_in_place(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = i - kRadius; j <= i + kRadius; ++j) {
    if (j >= 0 && j < n) sum += out[j];  // expect: nothing orders the blocks
  }
  __syncthreads();
  if (i < n) out[i] = sum;
}

__global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

void stencil(const float* in, float* out, int n) {
  copy<<<(n + 255) / 256, 256>>>(in, out, n);
  stencil_in_place<<<(n + 255) / 256, 256>>>(out, n);
}
