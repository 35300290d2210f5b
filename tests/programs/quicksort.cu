// This program sorts numbers by kernels that launch kernels: each block splits its numbers by a
// pivot, and launches a kernel for the smaller ones and one for the larger ones. A launch at the
// tail of the first kernel, which begins when all others have ended, counts what is out of order.
#include <algorithm>

#include "check.h"

constexpr int kThreads = 64;

__global__ void Quicksort(unsigned* data, unsigned* spare, int n) {
  __shared__ int low, high;
  if (threadIdx.x == 0) low = high = 0;
  __syncthreads();
  const unsigned pivot = data[n / 2];
  for (int i = threadIdx.x; i < n; i += kThreads) {
    if (data[i] < pivot) spare[atomicAdd(&low, 1)] = data[i];
    if (data[i] > pivot) spare[n - 1 - atomicAdd(&high, 1)] = data[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += kThreads) {
    data[i] = i < low || i >= n - high ? spare[i] : pivot;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int above = n - high;
  if (low > 1) Quicksort<<<1, kThreads>>>(data, spare, low);
  if (high > 1)
    Quicksort<<<1, kThreads, 0, cudaStreamFireAndForget>>>(data + above, spare + above, high);
}

__global__ void CountDisorder(const unsigned* data, int n, int* disorder) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i + 1 < n && data[i] > data[i + 1]) atomicAdd(disorder, 1);
}

__global__ void SortAndCount(unsigned* data, unsigned* spare, int n, int* disorder) {
  CountDisorder<<<(n + kThreads - 1) / kThreads, kThreads, 0, cudaStreamTailLaunch>>>(data, n,
                                                                                      disorder);
  if (n > 1) Quicksort<<<1, kThreads>>>(data, spare, n);
}

int main() {
  for (const int n : {1, 2, 63, 1000}) {
    Numbers numbers(n);
    std::vector<unsigned> values(n);
    for (unsigned& value : values) value = static_cast<unsigned>(numbers.Next()) % (4 * n);
    const Array<unsigned> data(values);
    const Array<unsigned> spare(n);
    const Array<int> disorder(std::vector<int>{0});
    SortAndCount<<<1, 1>>>(data.data(), spare.data(), n, disorder.data());
    CHECK(cudaGetLastError());
    std::sort(values.begin(), values.end());
    std::printf("%d numbers: %s, %d pairs out of order\n", n,
                data.Get() == values ? "sorted" : "wrong", disorder.Get().front());
  }
}
