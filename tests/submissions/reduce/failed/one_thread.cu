// score: 0
// says: expected
// One thread adds in one float, which is exact for integers, but less exact than parallel sums.
#include "reduce.h"

__global__ void reduce_serial(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}

void reduce_sum(const float* in, float* out, int n) { reduce_serial<<<1, 1>>>(in, out, n); }
