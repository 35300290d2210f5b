// score: 0
// says: put a __syncwarp() that all lanes reach
// The last steps of the tree are those of one warp, and nothing orders its lanes. A __syncthreads()
// under the condition would not be reached by all threads.
#include "row_sums.h"

__global__ void Sum(const float* m, float* sums, int rows, int cols) {
  __shared__ float s[128];
  const int t = threadIdx.x, row = blockIdx.x;
  float sum = 0;
  for (int c = t; c < cols; c += 128) sum += m[row * cols + c];
  s[t] = sum;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) sums[row] = s[0];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  Sum<<<rows, 128>>>(m, sums, rows, cols);
}
