// score: 100
// The total is a double, to which blocks add by a loop of atomicCAS on its bits; another kernel
// rounds it. A function of the host is called when both have ended.
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>

#include "reduce.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 264;

__device__ unsigned long long total_bits;

static std::atomic<int> sums_made;

__device__ void add_double(unsigned long long* address, double value) {
  unsigned long long old = *reinterpret_cast<volatile unsigned long long*>(address);
  unsigned long long expected;
  do {
    expected = old;
    const double sum = __longlong_as_double(static_cast<long long>(expected)) + value;
    old = atomicCAS(address, expected, static_cast<unsigned long long>(__double_as_longlong(sum)));
  } while (old != expected);
}

__global__ void add_up(const float* in, int n) {
  double sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kBlocks * kThreads) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x % 32 == 0) add_double(&total_bits, sum);
}

__global__ void round_total(float* out) {
  *out = static_cast<float>(__longlong_as_double(static_cast<long long>(total_bits)));
}

void reduce_sum(const float* in, float* out, int n) {
  constexpr std::uint64_t kZero = std::bit_cast<std::uint64_t>(0.0);
  cudaMemcpyToSymbol(total_bits, &kZero, sizeof(kZero));
  add_up<<<kBlocks, kThreads>>>(in, n);
  round_total<<<1, 1>>>(out);
  cudaLaunchHostFunc(
      nullptr, [](void* numbers) { *static_cast<std::atomic<int>*>(numbers) += 1; }, &sums_made);
  cudaStreamSynchronize(nullptr);
  std::printf("%d sums\n", sums_made.load());
}
