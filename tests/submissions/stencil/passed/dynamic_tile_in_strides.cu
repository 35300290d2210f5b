// score: 100
// Blocks take pieces of 2048 elements a grid apart, with shared memory of the size that the launch
// gives.
#include <algorithm>

#include "stencil.h"

extern __shared__ float tile[];

__global__ void sum_pieces(const float* in, float* out, int n, int piece) {
  for (long long first = static_cast<long long>(blockIdx.x) * piece; first < n;
       first += static_cast<long long>(gridDim.x) * piece) {
    for (int i = threadIdx.x; i < piece + 2 * kRadius; i += blockDim.x) {
      const long long at = first + i - kRadius;
      tile[i] = at < 0 || at >= n ? 0.0f : in[at];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < piece && first + i < n; i += blockDim.x) {
      float sum = 0;
#pragma unroll
      for (int k = 0; k <= 2 * kRadius; ++k) sum += tile[i + k];
      out[first + i] = sum;
    }
    __syncthreads();
  }
}

void stencil(const float* in, float* out, int n) {
  constexpr int kPiece = 2048;
  const int blocks = std::min((n - 1) / kPiece + 1, 60);
  sum_pieces<<<blocks, 160, (kPiece + 2 * kRadius) * sizeof(float)>>>(in, out, n, kPiece);
}
