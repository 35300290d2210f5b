// score: 0
// says: nothing has written
// The sums of the warps are added to shared memory that nobody has set to zero.
#include "reduce.h"

__global__ void reduce_never_clears(const float* in, float* out, int n) {
  __shared__ float total;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);  // expect: nothing has written
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

void reduce_sum(const float* in, float* out, int n) { reduce_never_clears<<<1, 512>>>(in, out, n); }
