// score: 100
// Asynchronous copies bring the tile; where there is no element, a copy of no bytes fills in zero.
#include <cuda_pipeline.h>

#include "stencil.h"

constexpr int kBlock = 256;

__global__ void sum_neighbours(const float* in, float* out, int n) {
  __shared__ float tile[kRadius + kBlock + kRadius];
  const long long first = static_cast<long long>(blockIdx.x) * kBlock;

  const auto fetch = [&](int place) {
    const long long element = first + place;
    const bool exists = element >= 0 && element < n;
    __pipeline_memcpy_async(&tile[place + kRadius], exists ? in + element : in, sizeof(float),
                            exists ? 0 : sizeof(float));
  };
  fetch(static_cast<int>(threadIdx.x));
  if (threadIdx.x < 2 * kRadius) {
    const int i = static_cast<int>(threadIdx.x);
    fetch(i < kRadius ? i - kRadius : kBlock + i - kRadius);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();

  const long long element = first + threadIdx.x;
  if (element >= n) return;
  const float* const mine = tile + threadIdx.x;
  out[element] = mine[0] + mine[1] + mine[2] + mine[3] + mine[4] + mine[5] + mine[6];
}

void stencil(const float* in, float* out, int n) {
  sum_neighbours<<<(n - 1) / kBlock + 1, kBlock>>>(in, out, n);
}
