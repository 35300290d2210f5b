// score: 0
// A half of one element is that element again.
#include "reduce.h"

__device__ __noinline__ float sum_of(const float* in, int first, int last) {
  if (first >= last) return 0;
  int middle = (first + last) / 2;
  return sum_of(in, first, middle) + sum_of(in, middle, last);  // expect: the thread's stack overflows
}

__global__ void reduce_endless_recursion(const float* in, float* out, int n) {
  *out = sum_of(in, 0, n);
}

void reduce_sum(const float* in, float* out, int n) {
  reduce_endless_recursion<<<1, 1>>>(in, out, n);
}
