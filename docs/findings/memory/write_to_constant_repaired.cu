#include <cstdio>

__constant__ float weights[4] = {1, 2, 3, 2};

__global__ void Normalise(float* values) {
  const float sum = weights[0] + weights[1] + weights[2] + weights[3];
  values[threadIdx.x] = weights[threadIdx.x] / sum;
}

int main() {
  float* values;
  cudaMalloc(&values, sizeof weights);
  Normalise<<<1, 4>>>(values);
  cudaMemcpyToSymbol(weights, values, sizeof weights, 0, cudaMemcpyDeviceToDevice);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
