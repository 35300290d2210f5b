#include <cstdio>

__constant__ float factors[4];

__global__ void Scale(const float* in, float* out) {
  out[threadIdx.x] = factors[threadIdx.x] * in[threadIdx.x];
}

int main() {
  const float numbers[4] = {1, 2, 3, 4};
  float *in, *out;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(factors, numbers, sizeof numbers);
  Scale<<<1, 4>>>(in, out);
  float results[4];
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", results[0], results[1], results[2], results[3]);
  cudaFree(in);
  cudaFree(out);
}
