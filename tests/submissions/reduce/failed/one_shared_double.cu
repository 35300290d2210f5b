// score: 85
// says: 16-way bank conflict
// Each thread adds four elements to one double of its block, where the threads take turns.
#include "reduce.h"

__global__ void add_in_turns(const float* in, float* out, int n) {
  __shared__ double total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
      const long at = i + 1L * k * gridDim.x * blockDim.x;
      if (at < n) sum += in[at];
    }
    atomicAdd(&total, sum);  // expect: bank conflict
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, static_cast<float>(total));
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  add_in_turns<<<1024, 256>>>(in, out, n);
}
