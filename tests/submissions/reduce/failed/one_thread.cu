// score: 0
// says: expected
// One thread and one float: right for whole numbers, but off by more than parallel sums can be.
#include "reduce.h"

__global__ void reduce_serial(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}

void reduce_sum(const float* in, float* out, int n) { reduce_serial<<<1, 1>>>(in, out, n); }
