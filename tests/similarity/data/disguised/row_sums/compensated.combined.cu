// These sums do not lose their small parts.
#include "row_sums.h"

#define PARTS 8u
#define THREADS 256u

void row_sums(const float* data, float* result, int lines, int length);

__device__ static void add_carefully(float& all, float& rest, float value) {
  const float wanted = value - rest;
  const float before = all;
  all = before + wanted;
  rest = (all - before) - wanted;
}

__global__ void careful(const float* data, float* result, unsigned lines, unsigned length) {
  const unsigned number = THREADS * blockIdx.x + threadIdx.x;
  const unsigned line = number / PARTS;
  const unsigned part = number % PARTS;
  double mine = 0.0;
  if (line < lines) {
    float all = 0.0f;
    float rest = 0.0f;
    const float* p = data + size_t(length) * line;
    unsigned j = part;
    while (j < length) {
      add_carefully(all, rest, p[j]);
      j += PARTS;
    }
    mine = all;
  }
  mine += __shfl_down_sync(0xFFFFFFFF, mine, 4, 8);
  mine += __shfl_down_sync(0xFFFFFFFF, mine, 2, 8);
  mine += __shfl_down_sync(0xFFFFFFFF, mine, 1, 8);
  if (line < lines && part == 0) result[line] = float(mine);
}

void row_sums(const float* data, float* result, int lines, int length) {
  const unsigned blocks = (lines + 31u) / 32u;
  careful<<<blocks, THREADS>>>(data, result, lines, length);
}
