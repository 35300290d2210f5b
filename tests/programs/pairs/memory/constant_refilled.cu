// Two images are scaled by a factor that lies in constant memory.
// WRONG: the factor of the second image is copied while the first kernel may still read it.
// finds: unordered_use
// prints: 2 3
#include <cstdio>

__constant__ int factor;

__global__ void Scale(int* image, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) image[i] *= factor;
}

int main() {
  const int n = 1500;
  int *images, *factors;
  cudaMalloc(&images, 2 * n * sizeof(int));
  cudaMallocHost(&factors, 2 * sizeof(int));
  factors[0] = 2;
  factors[1] = 3;
  int ones[2 * n];
  for (int& one : ones) one = 1;
  cudaMemcpy(images, ones, sizeof(ones), cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  cudaStream_t streams[2];
  for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < 2; i++) {
#ifndef WRONG
    if (i > 0) cudaStreamSynchronize(streams[i - 1]);
#endif
    cudaMemcpyToSymbolAsync(factor, &factors[i], sizeof(int), 0, cudaMemcpyHostToDevice,  // named
                            streams[i]);
    Scale<<<1, 256, 0, streams[i]>>>(images + i * n, n);  // named
  }
  cudaDeviceSynchronize();
  cudaMemcpy(ones, images, sizeof(ones), cudaMemcpyDeviceToHost);
  printf("%d %d\n", ones[0], ones[n]);
  for (auto stream : streams) cudaStreamDestroy(stream);
  cudaFree(images);
  cudaFreeHost(factors);
}
