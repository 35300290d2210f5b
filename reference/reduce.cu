// Reference solution: every thread adds up elements a grid apart, so that neighbouring threads load
// neighbouring elements; then the threads of a block combine their sums in a tree, and the block
// adds the result to the total.
#include <algorithm>

#include "reduce.h"

namespace {

constexpr int kThreads = 256;     // a power of two, for the tree
constexpr int kMaxBlocks = 1024;  // enough to fill a GPU; more would only lengthen the last chain

__global__ void AddUp(const float* in, float* out, int n) {
  __shared__ float sums[kThreads];
  const int t = static_cast<int>(threadIdx.x);

  float sum = 0;
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + t; i < n;
       i += gridDim.x * kThreads) {
    sum += in[i];
  }
  sums[t] = sum;
  __syncthreads();

  // The lower half of the threads takes over from the upper half, until one is left. Warps are idle
  // as a whole, not in parts, until fewer than 32 threads are left.
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

}  // namespace

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  const int blocks = std::min((n - 1) / kThreads + 1, kMaxBlocks);
  AddUp<<<blocks, kThreads>>>(in, out, n);
}
