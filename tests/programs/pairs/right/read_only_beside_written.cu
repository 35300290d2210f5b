// Read-only loads, fetches and surface loads of bytes that the launch does not write, or only
// later: halves of one array, neighbouring bytes, a surface that each thread reads and writes in
// place, and what an earlier launch has written.
// prints: 496 2 40
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Half(unsigned char* bytes) {
  const int i = 2 * threadIdx.x;
  bytes[i] = __ldg(bytes + i + 1);
}
__global__ void Add(const unsigned char* __restrict__ bytes, int* sum) {
  int all = 0;
  for (int i = 0; i < 64; i += 2) all += bytes[i];
  sum[0] = all;
}
__global__ void InPlace(cudaSurfaceObject_t surface) {
  int number;
  surf2Dread(&number, surface, threadIdx.x * 4, 0);
  surf2Dwrite(2 * number, surface, threadIdx.x * 4, 0);
}

int main() {
  unsigned char host[64], *bytes;
  int *sum, all = 0;
  for (int i = 0; i < 64; i++) host[i] = i / 2;
  cudaMalloc(&bytes, 64);
  cudaMalloc(&sum, 4);
  cudaMemcpy(bytes, host, 64, cudaMemcpyHostToDevice);
  Half<<<1, 32>>>(bytes);
  Add<<<1, 1>>>(bytes, sum);
  cudaMemcpy(&all, sum, 4, cudaMemcpyDeviceToHost);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &format, 32, 1, cudaArraySurfaceLoadStore);
  int numbers[32];
  for (int i = 0; i < 32; i++) numbers[i] = i;
  cudaMemcpy2DToArray(array, 0, 0, numbers, 128, 128, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  InPlace<<<1, 32>>>(surface);
  InPlace<<<1, 32>>>(surface);
  cudaMemcpy2DFromArray(numbers, 128, array, 0, 0, 128, 1, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d\n", all, numbers[1] / 2, numbers[10]);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  cudaFree(bytes);
  cudaFree(sum);
}
