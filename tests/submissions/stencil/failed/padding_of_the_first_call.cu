// score: 0
// says: call in the same process is wrong
// The input is copied, with zeros around it, to memory that is kept. Behind the end of a shorter
// input there are elements of an earlier, longer one.
#include "stencil.h"

#define BLOCK 128

__global__ void stencil_padded(const float* padded, float* out, int n) {
  __shared__ float temp[BLOCK + 2 * kRadius];
  int first = blockIdx.x * BLOCK;
  for (int i = threadIdx.x; i < BLOCK + 2 * kRadius; i += BLOCK) {
    temp[i] = first + i < n + 2 * kRadius ? padded[first + i] : 0;
  }
  __syncthreads();
  float result = 0;
  for (int i = 0; i <= 2 * kRadius; i++) result += temp[threadIdx.x + i];
  if (first + threadIdx.x < n) out[first + threadIdx.x] = result;
}

void stencil(const float* in, float* out, int n) {
  static float* padded = nullptr;
  static int room = 0;
  if (n > room) {
    cudaFree(padded);
    cudaMalloc(&padded, sizeof(float) * (n + 2 * kRadius));
    cudaMemset(padded, 0, sizeof(float) * (n + 2 * kRadius));
    room = n;
  }
  cudaMemcpy(padded + kRadius, in, sizeof(float) * n, cudaMemcpyDeviceToDevice);
  stencil_padded<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(padded, out, n);
}
