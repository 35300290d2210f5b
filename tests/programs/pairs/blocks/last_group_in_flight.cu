// WRONG: the last batch is read while the pipeline may still have one group in flight.
// finds: async_copy_race
// prints: 64
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Sum(const int* in, int* out) {
  __shared__ int stages[2][32];
  int t = threadIdx.x, sum = 0;
  for (int s = 0; s < 2; s++) {
    __pipeline_memcpy_async(&stages[s][t], in + s * 32 + t, sizeof(int));  // named
    __pipeline_commit();
  }
  for (int s = 0; s < 2; s++) {
#ifdef WRONG
    __pipeline_wait_prior(1);
#else
    if (s == 0)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
#endif
    sum += stages[s][t];  // named
  }
  atomicAdd(out, sum);
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256);
  cudaMallocManaged(&out, 4);
  *out = 0;
  for (int i = 0; i < 64; i++) in[i] = 1;
  Sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(in);
  cudaFree(out);
}
