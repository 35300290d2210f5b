// score: 100
// The host launches three iterations at a time without looking. A state on the device says whether
// the iteration before was the last; then the kernels that follow do nothing. After three launches
// the host fetches how many iterations were made, which is one number for three.
#include <algorithm>

#include "jacobi.h"

namespace ahead {

constexpr int kBatch = 3;
constexpr int kBlock = 256;

struct State {
  int made;        // iterations
  int ended;       // 1 if the last one is made
  int change;      // bits of the largest change of the iteration that runs
  unsigned count;  // blocks that have finished it
};

__global__ void __launch_bounds__(kBlock)
    TryIteration(float* a, float* b, int width, int height, float tolerance, int most, State* state) {
  __shared__ int largest;
  if (state->ended) return;
  const float* const from = state->made % 2 == 0 ? a : b;
  float* const to = state->made % 2 == 0 ? b : a;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  float change = 0;
  for (int row = 1 + blockIdx.x; row < height - 1; row += gridDim.x) {
    const float* const here = from + static_cast<size_t>(row) * width;
    for (int x = threadIdx.x; x < width - 1; x += kBlock) {
      if (x < 1) continue;
      const float mean = __fmul_rn(
          0.25f, __fadd_rn(__fadd_rn(here[x - 1], here[x + 1]),
                           __fadd_rn(here[x - width], here[x + width])));
      to[static_cast<size_t>(row) * width + x] = mean;
      change = fmaxf(change, fabsf(__fsub_rn(mean, here[x])));
    }
  }
  const int bits = __reduce_max_sync(0xffffffff, __float_as_int(change));
  if (threadIdx.x % 32 == 0) atomicMax(&largest, bits);
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMax(&state->change, largest);
  __threadfence();
  // The last block of the iteration decides. Nobody else looks at the state any more.
  if (atomicAdd(&state->count, 1) == gridDim.x - 1) {
    __threadfence();
    const int of_all = __ldcg(&state->change);
    state->change = 0;
    state->count = 0;
    state->made += 1;
    if (__int_as_float(of_all) <= tolerance || state->made == most) state->ended = 1;
  }
}

}  // namespace ahead

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  using namespace ahead;
  const size_t bytes = sizeof(float) * width * height;
  float* other = nullptr;
  State* state = nullptr;
  cudaMalloc(&other, bytes);
  cudaMalloc(&state, sizeof(State));
  cudaMemcpyAsync(other, u, bytes, cudaMemcpyDeviceToDevice);
  cudaMemsetAsync(state, 0, sizeof(State));
  const int blocks = std::min(height - 2, 500);
  State seen = {};
  while (!seen.ended) {
    for (int i = 0; i < kBatch; ++i) {
      TryIteration<<<blocks, kBlock>>>(u, other, width, height, tolerance, max_iterations, state);
    }
    cudaMemcpy(&seen, state, sizeof(State), cudaMemcpyDeviceToHost);
  }
  if (seen.made % 2 == 1) cudaMemcpy(u, other, bytes, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  cudaFree(state);
  cudaFree(other);
  *iterations = seen.made;
}
