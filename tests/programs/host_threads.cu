// In this program eight threads of the host count in pinned memory, each in words of its own, while
// kernels count in words beside them. No count may be lost.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "check.h"

constexpr int kThreads = 8;
constexpr int kWords = 64;  // the words of each thread; a kernel uses every second one
constexpr int kLaunches = 40;

__global__ void count(int* words, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
  if (i < n) ++words[i];
}

int main() {
  int* words = nullptr;
  const int n = kThreads * kWords;
  CHECK(cudaHostAlloc(&words, n * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < n; ++i) words[i] = 0;
  std::atomic<bool> stop{false};
  std::vector<int> counted(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      volatile int* const own = words + t * kWords;
      while (!stop) {
        ++counted[t];
        for (int i = 0; i < kWords; i += 2) own[i] = own[i] + 1;
      }
    });
  }
  for (int launch = 0; launch < kLaunches; ++launch) {
    count<<<1, 256>>>(words, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  int lost = 0;
  for (int i = 0; i < n; ++i) lost += words[i] != (i % 2 ? kLaunches : counted[i / kWords]);
  std::printf("%d of %d counts are wrong\n", lost, n);
  CHECK(cudaFreeHost(words));
  return lost != 0;
}
