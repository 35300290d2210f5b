#include <cassert>
#include <cstdio>

__global__ void Roots(const float* in, float* out) {
  assert(in[threadIdx.x] >= 0);
  out[threadIdx.x] = sqrtf(in[threadIdx.x]);
}

int main() {
  float host[4] = {4, 9, 1, 16}, *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  Roots<<<1, 4>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
