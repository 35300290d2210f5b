// A texture is read by one kernel after the other; between them its array gets a new image.
// WRONG: the update is in another stream than the kernel that still reads the old image.
// finds: unordered_use
// prints: 9 4105
#include <cstdio>
#include <vector>

constexpr int kSize = 64;

__global__ void Sample(cudaTextureObject_t texture, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  out[y * kSize + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, kSize, kSize);
  float *first, *second, *image;
  const size_t bytes = kSize * kSize * sizeof(float), row = kSize * sizeof(float);
  cudaMalloc(&first, bytes);
  cudaMalloc(&second, bytes);
  cudaMallocHost(&image, 2 * bytes);
  for (int i = 0; i < 2 * kSize * kSize; i++) image[i] = i;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaStream_t draw, load;
  cudaStreamCreate(&draw);
  cudaStreamCreate(&load);
  cudaEvent_t drawn, loaded;
  cudaEventCreate(&drawn);
  cudaEventCreate(&loaded);

  cudaMemcpy2DToArrayAsync(array, 0, 0, image, row, row, kSize, cudaMemcpyHostToDevice, draw);
  Sample<<<dim3(1, kSize), kSize, 0, draw>>>(texture, first);  // named
  cudaEventRecord(drawn, draw);
#ifndef WRONG
  cudaStreamWaitEvent(load, drawn);
#endif
  cudaMemcpy2DToArrayAsync(array, 0, 0, image + kSize * kSize, row, row, kSize,  // named
                           cudaMemcpyHostToDevice, load);
  cudaEventRecord(loaded, load);
  cudaStreamWaitEvent(draw, loaded);
  Sample<<<dim3(1, kSize), kSize, 0, draw>>>(texture, second);
  cudaStreamSynchronize(draw);
  float a, b;
  cudaMemcpy(&a, first + 9, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&b, second + 9, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", a, b);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(first);
  cudaFree(second);
  cudaFreeHost(image);
  cudaEventDestroy(drawn);
  cudaEventDestroy(loaded);
  cudaStreamDestroy(draw);
  cudaStreamDestroy(load);
}
