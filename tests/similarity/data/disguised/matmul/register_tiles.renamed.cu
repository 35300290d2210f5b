/* Each thread is responsible for sixteen outputs. */
#include "matmul.h"

constexpr int BLOCK_EDGE = 64;
constexpr int STEP = 16;

__global__ __launch_bounds__(256) void gemm(const float* lhs, const float* rhs, float* result,
                                            int height, int width, int inner, int blocks_x) {
  __shared__ float left_part[BLOCK_EDGE][STEP];
  __shared__ float right_part[STEP][BLOCK_EDGE];
  int id = threadIdx.x;
  int origin_y = blockIdx.x / blocks_x * BLOCK_EDGE;
  int origin_x = blockIdx.x % blocks_x * BLOCK_EDGE;
  int lx = id % 16, ly = id / 16;
  float acc[4][4] = {};
  for (int begin = 0; begin < inner; begin += STEP) {
    // stage both operands
    for (int e = id; e < BLOCK_EDGE * STEP; e += 256) {
      int r1 = e / STEP, c1 = e % STEP;
      left_part[r1][c1] =
          origin_y + r1 < height && begin + c1 < inner ? __ldg(&lhs[(origin_y + r1) * inner + begin + c1]) : 0.0f;
      int r2 = e / BLOCK_EDGE, c2 = e % BLOCK_EDGE;
      right_part[r2][c2] =
          begin + r2 < inner && origin_x + c2 < width ? __ldg(&rhs[(begin + r2) * width + origin_x + c2]) : 0.0f;
    }
    __syncthreads();
    for (int s = 0; s < STEP; ++s) {
      float u[4], v[4];
      for (int a = 0; a < 4; ++a) u[a] = left_part[ly + 16 * a][s];
      for (int b = 0; b < 4; ++b) v[b] = right_part[s][lx + 16 * b];
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) acc[a][b] = fmaf(u[a], v[b], acc[a][b]);
      }
    }
    __syncthreads();
  }
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      int yy = origin_y + ly + 16 * a, xx = origin_x + lx + 16 * b;
      if (yy < height && xx < width) result[yy * width + xx] = acc[a][b];
    }
  }
}

void matmul(const float* lhs, const float* rhs, float* result, int height, int width, int inner) {
  int blocks_x = (width + BLOCK_EDGE - 1) / BLOCK_EDGE;
  gemm<<<blocks_x * ((height + BLOCK_EDGE - 1) / BLOCK_EDGE), 256>>>(lhs, rhs, result, height, width, inner,
                                                                   blocks_x);
}
