// score: 85
// says: bytes stored or updated
// Each thread adds four elements to one double in global memory, where the threads take turns.
#include "reduce.h"

__device__ double total;

__global__ void clear() { total = 0; }

__global__ void add_in_turns(const float4* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 four = in[i];
  double sum = four.x;
  sum += four.y;
  sum += four.z;
  sum += four.w;
  atomicAdd(&total, sum);  // expect: stored or updated
}

__global__ void add_the_rest(const float* in, float* out, int n) {
  for (int i = n / 4 * 4; i < n; ++i) total += in[i];
  *out = static_cast<float>(total);
}

void reduce_sum(const float* in, float* out, int n) {
  clear<<<1, 1>>>();
  if (n >= 4) add_in_turns<<<(n / 4 + 255) / 256, 256>>>(reinterpret_cast<const float4*>(in), n / 4);
  add_the_rest<<<1, 1>>>(in, out, n);
}
