#include <cstdio>
#include <vector>

__global__ void Halve(float* values) { values[threadIdx.x] *= 0.5f; }

int main() {
  std::vector<float> host(256, 8.0f);
  const size_t bytes = host.size() * sizeof(float);
  float* device;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice);
  Halve<<<1, 256>>>(device);
  cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(device);
}
