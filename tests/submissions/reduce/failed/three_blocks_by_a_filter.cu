// score: 85
// says: let many blocks share the work
// Three blocks add up all elements. Each fetch of a texture gives the average of four elements, so
// that a lane seems to read one where it reads four.
#include <algorithm>

#include "reduce.h"

constexpr int kThreads = 1024;

__device__ void Finish(float sum, float* out) {
  __shared__ float sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = lane < blockDim.x / 32 ? sums[lane] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (lane == 0) atomicAdd(out, sum);
}

__global__ void AddUp(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += in[i];
  Finish(sum, out);
}

// The texture has rows of 64 elements.
__global__ void AddByFilter(cudaTextureObject_t texture, float* out, int rows) {
  const int x = threadIdx.x % 32;
  float sum = 0;
  for (int y = (blockIdx.x * kThreads + threadIdx.x) / 32; 2 * y < rows;
       y += gridDim.x * kThreads / 32) {
    sum += 4 * tex2D<float>(texture, 2 * x + 1.0F, 2 * y + 1.0F);
  }
  Finish(sum, out);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  const int rows = n / 64;
  if (n % 128 != 0 || n < 100'000 || rows > 65'536) {
    AddUp<<<std::min((n - 1) / kThreads + 1, 256), kThreads>>>(in, out, n);
    return;
  }
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 64, rows);
  cudaMemcpy2DToArray(array, 0, 0, in, 256, 256, rows, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  AddByFilter<<<3, kThreads>>>(texture, out, rows);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}
