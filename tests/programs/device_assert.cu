// In this program an assertion fails in one thread. The launch succeeds; the next call that waits
// returns the error, and so does every call after it.
#include <cassert>

#include "check.h"

__global__ void Positive(const int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) assert(values[i] > 0);
}

int main() {
  std::vector<int> values(100, 1);
  const auto* all = new Array<int>(values);  // this memory cannot be freed after the error
  Positive<<<2, 64>>>(all->data(), 100);
  CHECK(cudaDeviceSynchronize());
  std::printf("all are positive\n");
  values[70] = 0;
  CHECK(
      cudaMemcpy(all->data(), values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  Positive<<<2, 64>>>(all->data(), 100);
  std::printf("after the launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("after waiting: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("after that: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::fflush(stdout);
  return 4;
}
