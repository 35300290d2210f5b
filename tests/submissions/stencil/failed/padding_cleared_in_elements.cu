// score: 0
// says: cudaMemset (line 
// says: wrote the first
// says: sizeof(type)
#include "stencil.h"

// Works on a copy with a margin of zeros on both sides.
__global__ void copy_in(const float* in, float* padded, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) padded[i + kRadius] = in[i];
}

__global__ void sums(const float* padded, float* out, int n) {
  __shared__ float tile[256 + 6];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n + 6 ? padded[i] : 0;
  if (threadIdx.x < 6) tile[threadIdx.x + 256] = i + 256 < n + 6 ? padded[i + 256] : 0;
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < 7; ++j) sum += tile[threadIdx.x + j];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  float* padded;
  cudaMalloc(&padded, (n + 6) * sizeof(float));
  cudaMemset(padded, 0, n + 6);
  copy_in<<<(n + 255) / 256, 256>>>(in, padded, n);
  sums<<<(n + 255) / 256, 256>>>(padded, out, n);
  cudaFree(padded);
}
