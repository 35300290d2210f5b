#include <cstdio>
#include <vector>

__global__ void Halve(float* values) { values[threadIdx.x] *= 0.5f; }

int main() {
  std::vector<float> host(256, 8.0f);
  Halve<<<1, 256>>>(host.data());
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
