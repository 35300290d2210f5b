// The last block adds partial sums, behind a fence.
// WRONG: it fetches them by a texture of linear memory.
// finds: stale_read
// prints: 28
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned done;
__global__ void Sum(cudaTextureObject_t texture, int* sums, int* total) {
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(&done, 1) < gridDim.x - 1) return;
  __threadfence();
  int all = 0;
  for (int b = 0; b < gridDim.x; b++) {
#ifdef WRONG
    all += tex1Dfetch<int>(texture, b);  // named
#else
    all += sums[b];
#endif
  }
  *total = all;
}

int main() {
  int *sums, *total, all = 0;
  cudaMalloc(&sums, 32);
  cudaMalloc(&total, 4);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = sums;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 32;
  cudaTextureDesc how{};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  Sum<<<8, 32>>>(texture, sums, total);
  cudaMemcpy(&all, total, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", all);
  cudaDestroyTextureObject(texture);
  cudaFree(sums);
  cudaFree(total);
}
