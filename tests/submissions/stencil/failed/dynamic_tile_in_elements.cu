// score: 0
// says: asks for 262 bytes of dynamic shared memory, but the kernel uses 1,048
// The launch gives the size of the dynamic tile in elements instead of bytes.
#include "stencil.h"

__global__ void sums(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  int first = blockIdx.x * blockDim.x - 3;
  for (int i = threadIdx.x; i < blockDim.x + 6; i += blockDim.x) {
    tile[i] = first + i >= 0 && first + i < n ? in[first + i] : 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < 7; ++j) sum += tile[threadIdx.x + j];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  sums<<<(n + 255) / 256, 256, 256 + 6>>>(in, out, n);
}
