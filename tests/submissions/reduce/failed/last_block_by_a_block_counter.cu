// score: 0
// says: use atomicInc() instead of atomicInc_block()
// The counter has the scope of the block, so that two blocks may count the same number.

__device__ float partial[1024];
__device__ unsigned finished;

__global__ void reduce_last_block(const float* in, float* out, int n) {
  __shared__ float sums[512];
  __shared__ bool last;
  int t = threadIdx.x;
  double sum = 0;
  for (int i = blockIdx.x * 512 + t; i < n; i += gridDim.x * 512) sum += in[i];
  for (int round = 0; round < 2; ++round) {
    sums[t] = static_cast<float>(sum);
    for (int s = 256; s > 0; s >>= 1) {
      __syncthreads();
      if (t < s) sums[t] += sums[t + s];
    }
    if (round == 1) {
      if (t == 0) *out = sums[0];
      return;
    }
    if (t == 0) {
      partial[blockIdx.x] = sums[0];
      __threadfence();
      last = atomicInc_block(&finished, gridDim.x - 1) == gridDim.x - 1;  // expect: so nothing orders
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = 0;
    for (int i = t; i < gridDim.x; i += 512) sum += partial[i];
  }
}

void reduce_sum(const float* in, float* out, int n) {
  int blocks = (n + 511) / 512;
  reduce_last_block<<<blocks < 1024 ? blocks : 1024, 512>>>(in, out, n);
}
