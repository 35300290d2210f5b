// The last block adds the partial sums of all blocks, as NVIDIA's threadFenceReduction does.
// WRONG: __threadfence_block() does not order the partial sum for another block.
// finds: global_race
// prints: 10000
#include <cstdio>

constexpr int kThreads = 128;
__device__ unsigned int finished = 0;

__device__ float BlockSum(float value) {
  __shared__ float values[kThreads];
  values[threadIdx.x] = value;
  __syncthreads();
  for (int s = kThreads / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) values[threadIdx.x] += values[threadIdx.x + s];
    __syncthreads();
  }
  return values[0];
}

__global__ void Reduce(const float* in, float* partial, float* out, int n) {
  __shared__ bool last;
  float value = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
    value += in[i];
  float sum = BlockSum(value);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;  // named
#ifdef WRONG
    __threadfence_block();
#else
    __threadfence();
#endif
    unsigned int ticket = atomicInc(&finished, gridDim.x);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    float all = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += kThreads) {
      all += partial[i];  // named
    }
    all = BlockSum(all);
    if (threadIdx.x == 0) {
      *out = all;
      finished = 0;
    }
  }
}

int main() {
  const int n = 10000, blocks = 16;
  static float host[n];
  for (float& x : host) x = 1;
  float *in, *partial, *out, result;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  Reduce<<<blocks, kThreads>>>(in, partial, out, n);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
}
