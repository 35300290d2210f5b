// score: 0
// The function calls itself without end for the sum of one element.
#include "reduce.h"

__device__ __noinline__ float sum_of(const float* in, int first, int last) {
  if (first >= last) return 0;
  int middle = (first + last) / 2;
  if (last - first == 1) return in[first] + 0 * sum_of(in, first, last);  // expect: the thread's stack overflows
  return sum_of(in, first, middle) + sum_of(in, middle, last);
}

__global__ void reduce_endless_recursion(const float* in, float* out, int n) {
  *out = sum_of(in, 0, n);
}

void reduce_sum(const float* in, float* out, int n) {
  reduce_endless_recursion<<<1, 1>>>(in, out, n);
}
