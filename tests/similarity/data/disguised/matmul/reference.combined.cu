// This computes the product of two matrices by pieces.
#include "matmul.h"

#define P 16

__device__ static float fetch(const float* from, bool there, size_t at) {
  if (there) return from[at];
  return 0.0f;
}

static unsigned pieces(unsigned extent) { return extent / P + (extent % P ? 1u : 0u); }

__global__ void product(const float* left, const float* right, float* result, unsigned height,
                        unsigned width, unsigned inner) {
  const unsigned across = (width + P - 1) / P;
  const unsigned j = threadIdx.y, i = threadIdx.x;
  const unsigned c = P * (blockIdx.x % across) + i;
  const unsigned r = P * (blockIdx.x / across) + j;
  __shared__ float right_piece[P][P];
  __shared__ float left_piece[P][P];
  float dot = 0.0f;
  unsigned start = 0;
  while (start < inner) {
    right_piece[j][i] = fetch(right, c < width && start + j < inner, (size_t)width * (start + j) + c);
    left_piece[j][i] = fetch(left, start + i < inner && r < height, (size_t)inner * r + (start + i));
    __syncthreads();
    for (int q = 0; q < P; q += 4) {
      dot += left_piece[j][q] * right_piece[q][i];
      dot += left_piece[j][q + 1] * right_piece[q + 1][i];
      dot += left_piece[j][q + 2] * right_piece[q + 2][i];
      dot += left_piece[j][q + 3] * right_piece[q + 3][i];
    }
    __syncthreads();
    start += P;
  }
  if (c < width && r < height) result[(size_t)width * r + c] = dot;
}

void matmul(const float* left, const float* right, float* result, int height, int width, int inner) {
  dim3 threads(P, P);
  unsigned count = pieces(width) * pieces(height);
  product<<<count, threads>>>(left, right, result, height, width, inner);
}
