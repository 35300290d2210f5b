// This program computes sums of integers: with four trees, each faster than the one before, with
// shuffles, with warp votes, and with reduce_add.
#include "check.h"

constexpr int kThreads = 256;

__global__ void Interleaved(const int* in, int* out, int n) {
  __shared__ int sums[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    if (threadIdx.x % (2 * step) == 0) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

__global__ void Strided(const int* in, int* out, int n) {
  __shared__ int sums[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const int at = 2 * step * threadIdx.x;
    if (at < kThreads) sums[at] += sums[at + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

__global__ void Sequential(const int* in, int* out, int n) {
  __shared__ int sums[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

__device__ int WarpSum(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
  return value;
}

__global__ void Shuffles(const int* in, int* out, int n) {
  __shared__ int sums[kThreads / 32];
  int value = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
    value += in[i];
  value = WarpSum(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = WarpSum(threadIdx.x < kThreads / 32 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(out, value);
  }
}

// Counts the odd numbers by votes, and computes the sum by the instruction that adds over a warp.
__global__ void Votes(const int* in, int* out, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned odd = __ballot_sync(~0u, value & 1);
  const int sum = __reduce_add_sync(~0u, value);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(out, sum);
    atomicAdd(out + 1, __popc(odd));
  }
}

int main() {
  const int n = 30011;
  Numbers numbers(4);
  std::vector<int> in(n);
  int sum = 0, odd = 0;
  for (int& value : in) {
    value = int(numbers.Next() % 2001) - 1000;
    sum += value;
    odd += value & 1;
  }
  std::printf("on the host: %d, %d odd\n", sum, odd);
  const Array<int> from(in);
  Array<int> to(2);
  const int blocks = (n + kThreads - 1) / kThreads;
  using Kernel = void (*)(const int*, int*, int);
  const struct {
    const char* name;
    Kernel kernel;
    int blocks;
  } all[] = {{"interleaved", Interleaved, blocks},
             {"strided", Strided, blocks},
             {"sequential", Sequential, blocks},
             {"shuffles", Shuffles, 24},
             {"votes", Votes, blocks}};
  for (const auto& [name, kernel, count] : all) {
    to.Zero();
    kernel<<<count, kThreads>>>(from.data(), to.data(), n);
    CHECK(cudaGetLastError());
    const std::vector<int> result = to.Get();
    std::printf("%s: %d, %d\n", name, result[0], result[1]);
  }
  return 0;
}
