#include <cstdio>

// Adds four neighbours at once; each thread reads one float4.
__global__ void SumOfFour(const float* in, float* out) {
  const float4 four = reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 132 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 132 * sizeof(float));
  SumOfFour<<<1, 32>>>(in + 1, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
