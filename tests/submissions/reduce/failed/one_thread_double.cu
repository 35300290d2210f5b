// score: 50
// One thread adds in double precision: the sum is exact enough, but 31 of 32 lanes are idle.
#include "reduce.h"

__global__ void reduce_serial(const float* in, float* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[i];  // expect: 1 of 32 lanes active
  }
  *out = static_cast<float>(sum);
}

void reduce_sum(const float* in, float* out, int n) { reduce_serial<<<1, 1>>>(in, out, n); }
