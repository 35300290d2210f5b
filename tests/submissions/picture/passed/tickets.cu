// score: 100
// A few blocks stay until all is done: each takes the number of its next piece from a counter.
#include <algorithm>

#include "picture.h"

constexpr int kThreads = 192;
constexpr int kPiece = 4 * kThreads;

__device__ unsigned long long next_piece;

__global__ void take_pieces(const float* __restrict__ in, float* __restrict__ out,
                            unsigned long long pixels) {
  __shared__ unsigned long long piece;
  while (true) {
    if (threadIdx.x == 0) piece = atomicAdd(&next_piece, 1ULL);
    __syncthreads();
    const unsigned long long first = piece * kPiece;
    __syncthreads();
    if (first >= pixels) return;
    const unsigned long long end = min(first + kPiece, pixels);
    for (unsigned long long i = first + threadIdx.x; i < end; i += kThreads) {
      out[i] = 2 * __ldg(in + i);
    }
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  const auto pixels = static_cast<unsigned long long>(width) * height;
  void* counter = nullptr;
  if (cudaGetSymbolAddress(&counter, next_piece) != cudaSuccess) return;
  cudaMemsetAsync(counter, 0, sizeof(next_piece));
  const auto pieces = (pixels + kPiece - 1) / kPiece;
  take_pieces<<<static_cast<unsigned>(std::min(pieces, 264ULL)), kThreads>>>(in, out, pixels);
}
