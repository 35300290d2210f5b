// score: 0
// says: give the lock back by atomicExch()
// A plain store gives the lock back.

__device__ int lock = 0;

__global__ void add_up(const float* in, float* out, int n) {
  __shared__ float warps[8];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += warps[w];
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    *out += sum;  // expect: by a plain store
    __threadfence();
    lock = 0;  // expect: nothing orders the blocks
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  add_up<<<blocks < 256 ? blocks : 256, 256>>>(in, out, n);
}
