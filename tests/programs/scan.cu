// This program computes inclusive sums of any length: a scan of each block by shuffles, and a scan
// of the blocks' sums, which are then added.
#include "check.h"

constexpr int kThreads = 128;

__device__ int WarpScan(int value) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(~0u, value, step);
    if (lane >= step) value += before;
  }
  return value;
}

__global__ void ScanBlocks(int* values, int* sums, int n) {
  __shared__ int warps[kThreads / 32];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  int value = WarpScan(i < n ? values[i] : 0);
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    const int sum = WarpScan(threadIdx.x < kThreads / 32 ? warps[threadIdx.x] : 0);
    if (threadIdx.x < kThreads / 32) warps[threadIdx.x] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= 32) value += warps[threadIdx.x / 32 - 1];
  if (i < n) values[i] = value;
  if (threadIdx.x == kThreads - 1) sums[blockIdx.x] = value;
}

__global__ void AddSums(int* values, const int* sums, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (blockIdx.x > 0 && i < n) values[i] += sums[blockIdx.x - 1];
}

void Scan(int* values, int n) {
  const int blocks = (n + kThreads - 1) / kThreads;
  const Array<int> sums(blocks);
  ScanBlocks<<<blocks, kThreads>>>(values, sums.data(), n);
  CHECK(cudaGetLastError());
  if (blocks == 1) return;
  Scan(sums.data(), blocks);
  AddSums<<<blocks, kThreads>>>(values, sums.data(), n);
  CHECK(cudaGetLastError());
}

int main() {
  for (const int n : {1, 31, 128, 129, 20000}) {
    Numbers numbers(n);
    std::vector<int> in(n);
    for (int& value : in) value = int(numbers.Next() % 201) - 100;
    const Array<int> values(in);
    Scan(values.data(), n);
    const std::vector<int> out = values.Get();
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; ++i) wrong += (sum += in[i]) != out[i];
    std::printf("%d: last %d, %d wrong\n", n, out[n - 1], wrong);
  }
  return 0;
}
