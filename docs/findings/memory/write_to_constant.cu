#include <cstdio>

__constant__ float weights[4] = {1, 2, 3, 2};

__global__ void Normalise(float* values) {
  const float sum = weights[0] + weights[1] + weights[2] + weights[3];
  values[threadIdx.x] = weights[threadIdx.x] / sum;
}

int main() {
  void* values;
  cudaGetSymbolAddress(&values, weights);
  Normalise<<<1, 4>>>(static_cast<float*>(values));
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
