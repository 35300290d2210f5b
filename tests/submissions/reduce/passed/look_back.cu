// score: 100
// This is decoupled look-back: blocks get numbers in the order of their start and add the sum of
// all before them to their own. The last has the total. A word contains a sum and its state.
#include "reduce.h"

constexpr int kThreads = 256;
constexpr int kPiece = 16 * 1024;
constexpr int kMaxPieces = 1024;

enum State : unsigned { kNothing, kOwn, kAllBefore };

struct Progress {
  unsigned started;
  unsigned long long words[kMaxPieces];
};

__device__ Progress progress;

__device__ unsigned long long Pack(State state, float sum) {
  return static_cast<unsigned long long>(state) << 32 | __float_as_uint(sum);
}

__global__ void add_in_order(const float* in, float* out, int n) {
  __shared__ float of_warp[kThreads / 32];
  __shared__ unsigned number;
  if (threadIdx.x == 0) number = atomicAdd(&progress.started, 1u);
  __syncthreads();
  const unsigned me = number;
  const int first = me * kPiece;
  const int end = min(first + kPiece, n);
  float sum = 0;
  for (int i = first + threadIdx.x; i < end; i += kThreads) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum = 0;
  for (float part : of_warp) sum += part;

  if (me > 0) {
    atomicExch(&progress.words[me], Pack(kOwn, sum));
    for (int before = static_cast<int>(me) - 1;;) {
      const unsigned long long word = atomicAdd(&progress.words[before], 0ULL);
      const auto state = static_cast<State>(word >> 32);
      if (state == kNothing) {
        __nanosleep(50);
        continue;
      }
      sum += __uint_as_float(static_cast<unsigned>(word));
      if (state == kAllBefore) break;
      --before;
    }
  }
  atomicExch(&progress.words[me], Pack(kAllBefore, sum));
  if (me == gridDim.x - 1) *out = sum;
}

void reduce_sum(const float* in, float* out, int n) {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, progress);
  cudaMemset(address, 0, sizeof(Progress));
  add_in_order<<<(n + kPiece - 1) / kPiece, kThreads>>>(in, out, n);
}
