#include <cstdio>

int main() {
  const cudaExtent extent = make_cudaExtent(64, 64, 0);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels;
  const cudaError_t error = cudaMallocMipmappedArray(&levels, &format, extent, 3);
  printf("%s\n", cudaGetErrorString(error));
}
