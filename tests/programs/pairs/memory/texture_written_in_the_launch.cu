// A kernel doubles its numbers through a surface, and fetches those of the neighbours by a texture.
// WRONG: both in one launch, with a barrier between them: the cache of textures does not see it.
// finds: stale_read
// prints: 62
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Twice(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x;
  int number;
  surf2Dread(&number, surface, x * 4, 0);
  surf2Dwrite(2 * number, surface, x * 4, 0);
}
__global__ void Neighbour(cudaTextureObject_t texture, int* out) {
  out[threadIdx.x] = tex2D<int>(texture, 31 - threadIdx.x, 0);
}
__global__ void Both(cudaSurfaceObject_t surface, cudaTextureObject_t texture, int* out) {
  const int x = threadIdx.x;
  int number;
  surf2Dread(&number, surface, x * 4, 0);
  surf2Dwrite(2 * number, surface, x * 4, 0);
  __syncthreads();
  out[x] = tex2D<int>(texture, 31 - x, 0);  // named
}

int main() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &format, 32, 1, cudaArraySurfaceLoadStore);
  int numbers[32], *out;
  for (int i = 0; i < 32; i++) numbers[i] = i;
  cudaMemcpy2DToArray(array, 0, 0, numbers, 128, 128, 1, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 128);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  cudaTextureDesc how{};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
#ifdef WRONG
  Both<<<1, 32>>>(surface, texture, out);
#else
  Twice<<<1, 32>>>(surface);
  Neighbour<<<1, 32>>>(texture, out);
#endif
  cudaMemcpy(numbers, out, 128, cudaMemcpyDeviceToHost);
  std::printf("%d\n", numbers[0]);
  cudaDestroyTextureObject(texture);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  cudaFree(out);
}
