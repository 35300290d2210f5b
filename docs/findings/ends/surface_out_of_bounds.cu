#include <cstdio>

// Writes one row of a surface. The first coordinate is in bytes.
__global__ void WriteRow(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x;
  if (x <= width) surf2Dwrite(1.0f, surface, x * sizeof(float), 0);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &format, 20, 4, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  WriteRow<<<1, 32>>>(surface, 20);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(resource.res.array.array);
}
