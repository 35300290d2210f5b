// One group of threads handles each line of the matrix.
#include "row_sums.h"

#define GROUP 128

void row_sums(const float* matrix, float* totals, int height, int width);

static __device__ void add_upper_half(float* box, unsigned me, unsigned half) {
  if (me < half) box[me] = box[me] + box[me + half];
  __syncthreads();
}

__global__ void one_line(const float* matrix, float* totals, unsigned width) {
  const unsigned me = threadIdx.x;
  float mine = 0.0f;
  __shared__ float box[GROUP];
  const size_t begin = size_t(width) * blockIdx.x;
  unsigned j = me;
  while (j < width) {
    mine = mine + matrix[begin + j];
    j = j + GROUP;
  }
  box[me] = mine;
  __syncthreads();
  add_upper_half(box, me, 64);
  add_upper_half(box, me, 32);
  add_upper_half(box, me, 16);
  add_upper_half(box, me, 8);
  add_upper_half(box, me, 4);
  add_upper_half(box, me, 2);
  add_upper_half(box, me, 1);
  if (me == 0) totals[blockIdx.x] = box[me];
}

void row_sums(const float* matrix, float* totals, int height, int width) {
  dim3 lines(height);
  dim3 group(GROUP);
  one_line<<<lines, group>>>(matrix, totals, width);
}
