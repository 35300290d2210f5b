// score: 60
// says: let many blocks share the work
// One block walks along the array, tile by tile.
#include "stencil.h"

constexpr int kThreads = 1024;

__global__ void sum_neighbours(const float* in, float* out, int n) {
  __shared__ float tile[kThreads + 2 * kRadius];
  for (int first = 0; first < n; first += kThreads) {
    for (int i = threadIdx.x; i < kThreads + 2 * kRadius; i += kThreads) {
      const int element = first + i - kRadius;
      tile[i] = element >= 0 && element < n ? in[element] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i <= 2 * kRadius; ++i) sum += tile[threadIdx.x + i];
    const int element = first + threadIdx.x;
    if (element < n) out[element] = sum;
    __syncthreads();
  }
}

void stencil(const float* in, float* out, int n) { sum_neighbours<<<1, kThreads>>>(in, out, n); }
