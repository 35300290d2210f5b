// There are macros for sizes, places and guards.
#include <algorithm>

#include "matmul.h"

#define EDGE 16
#define MOST (65535 * EDGE)
#define PIECES(x) (((x) + EDGE - 1) / EDGE)
#define INSIDE(r, rs, c, cs) ((r) < (rs) && (c) < (cs))
#define AT(array, r, c, width) array[(long)(r) * (width) + (c)]
#define ZERO 0.0f

__global__ void zero(float* c, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) c[i] = ZERO;
}

__global__ void part(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float pa[EDGE][EDGE], pb[EDGE][EDGE];
  int x = threadIdx.x, y = threadIdx.y;
  int r = blockIdx.y * EDGE + y, q = blockIdx.x * EDGE + x;
  int per = (PIECES(k) + 1) / 2;
  int piece = blockIdx.z * per;
  int stop = min(piece + per, PIECES(k));
  float value = ZERO;
  for (; piece < stop; ++piece) {
    int p = piece * EDGE;
    pa[y][x] = INSIDE(r, m, p + x, k) ? AT(a, r, p + x, k) : ZERO;
    pb[y][x] = INSIDE(p + y, k, q, n) ? AT(b, p + y, q, n) : ZERO;
    __syncthreads();
    for (int i = 0; i < EDGE; ++i) value += pa[y][i] * pb[i][x];
    __syncthreads();
  }
  if (INSIDE(r, m, q, n)) atomicAdd(&AT(c, r, q, n), value);
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  zero<<<64, 256>>>(c, m * n);
  dim3 blocks(PIECES(n), 1, 2);
  for (int begin = 0; begin < m; begin += MOST) {
    int count = std::min(m - begin, MOST);
    blocks.y = PIECES(count);
    part<<<blocks, dim3(EDGE, EDGE)>>>(&AT(a, begin, 0, k), b, &AT(c, begin, 0, n), count, n, k);
  }
}
