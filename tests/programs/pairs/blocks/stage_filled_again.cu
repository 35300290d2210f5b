// Two stages of a pipeline.
// WRONG: the next batch is acquired and copied over the stage that is still read.
// finds: async_copy_race
// prints: 1024
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
__global__ void Sum(const int* in, int* out, int batches) {
  __shared__ int stages[2][64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;
  for (int load = 0, batch = 0; batch < batches; batch++) {
    for (; load < batches && load < batch + 2; load++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[load % 2][t], in + load * 64 + t, sizeof(int), pipe);  // named
      pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    if (batch == batches - 1) cuda::pipeline_consumer_wait_prior<0>(pipe);
    block.sync();
    sum += stages[batch % 2][63 - t];  // named
    pipe.consumer_release();
#ifndef WRONG
    block.sync();
#endif
  }
  atomicAdd(out, sum);
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * 4);
  cudaMallocManaged(&out, 4);
  *out = 0;
  for (int i = 0; i < 1024; i++) in[i] = 1;
  Sum<<<1, 64>>>(in, out, 16);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(in);
  cudaFree(out);
}
