#include <cstdio>

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t levels[3];
  for (int k = 0; k < 3; ++k) cudaMallocArray(&levels[k], &format, 64 >> k, 64 >> k);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  for (cudaArray_t level : levels) cudaFreeArray(level);
}
