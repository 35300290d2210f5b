// One kernel writes a surface; a copy in another stream fetches the array.
// WRONG: the copy does not wait for the kernel.
// finds: unordered_use
// prints: 72
#include <cstdio>

constexpr int kWidth = 128, kHeight = 32;

__global__ void Paint(cudaSurfaceObject_t surface) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  surf2Dwrite(static_cast<unsigned>(x ^ y), surface, x * 4, y);
}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  unsigned* image;
  cudaMallocHost(&image, kWidth * kHeight * sizeof(unsigned));
  cudaStream_t paint, fetch;
  cudaStreamCreate(&paint);
  cudaStreamCreate(&fetch);
  cudaEvent_t painted;
  cudaEventCreate(&painted);
  Paint<<<dim3(kWidth / 64, kHeight), 64, 0, paint>>>(surface);  // named
#ifndef WRONG
  cudaEventRecord(painted, paint);
  cudaStreamWaitEvent(fetch, painted, 0);
#endif
  cudaMemcpy2DFromArrayAsync(image, kWidth * 4, array, 0, 0, kWidth * 4, kHeight,  // named
                             cudaMemcpyDeviceToHost, fetch);
  cudaStreamSynchronize(fetch);
  printf("%u\n", image[5 * kWidth + 77]);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  cudaFreeHost(image);
  cudaEventDestroy(painted);
  cudaStreamDestroy(paint);
  cudaStreamDestroy(fetch);
}
