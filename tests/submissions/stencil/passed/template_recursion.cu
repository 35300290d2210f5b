// score: 100
// The sum is a template that halves itself; a policy says what lies beyond the array. One thread
// prints what its tile contains.
#include <cstdio>

#include "stencil.h"

constexpr int kBlock = 256;

template <int kTerms>
struct SumOf {
  __device__ static float From(const float* p) {
    constexpr int kHalf = kTerms / 2;
    return SumOf<kHalf>::From(p) + SumOf<kTerms - kHalf>::From(p + kHalf);
  }
};

template <>
struct SumOf<1> {
  __device__ static float From(const float* p) { return *p; }
};

struct ZeroOutside {
  __device__ float operator()(const float* in, int n, int i) const {
    return static_cast<unsigned>(i) < static_cast<unsigned>(n) ? __ldg(in + i) : 0.0f;
  }
};

template <class Boundary>
__global__ void sum_tiles(const float* in, float* out, int n, Boundary boundary) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int first = blockIdx.x * kBlock - kRadius;
  for (int i = threadIdx.x; i < kBlock + 2 * kRadius; i += kBlock) {
    tile[i] = boundary(in, n, first + i);
  }
  __syncthreads();
  const int element = blockIdx.x * kBlock + threadIdx.x;
  if (element == 0) {
    printf("%d elements, the tile begins with", n);
    for (int i = 0; i < 8; ++i) printf(" %.3f", tile[i]);
    printf("\n");
  }
  if (element < n) out[element] = SumOf<2 * kRadius + 1>::From(tile + threadIdx.x);
}

void stencil(const float* in, float* out, int n) {
  sum_tiles<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n, ZeroOutside{});
  std::printf("%d blocks: %s\n", (n + kBlock - 1) / kBlock, cudaGetErrorString(cudaGetLastError()));
}
