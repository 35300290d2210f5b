// score: 0
// says: call in the same process is wrong
// Rows are copied to memory that the first call allocates, which is too small for a larger matrix.
#include "row_sums.h"

constexpr int kThreads = 128;

__global__ void kept_sums(const float* m, float* sums, int cols) {
  __shared__ float part[kThreads];
  const float* row = m + static_cast<size_t>(blockIdx.x) * cols;
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += kThreads) sum += row[col];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  const size_t bytes = sizeof(float) * rows * cols;
  static float* kept = nullptr;
  if (kept == nullptr) cudaMalloc(&kept, bytes);
  cudaMemcpy(kept, m, bytes, cudaMemcpyDeviceToDevice);
  kept_sums<<<rows, kThreads>>>(kept, sums, cols);
}
