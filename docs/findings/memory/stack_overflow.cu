#include <cstdio>

// Returns 1 / (1 + 1 / (1 + ...)), with n fractions.
__device__ __noinline__ float Fraction(int n) { return n == 0 ? 1 : 1 / (1 + Fraction(n - 1)); }

__global__ void GoldenRatio(float* out, int n) { *out = Fraction(n); }

int main() {
  float *out, host;
  cudaMalloc(&out, sizeof(float));
  GoldenRatio<<<1, 1>>>(out, 2000);
  printf("%s\n", cudaGetErrorString(cudaMemcpy(&host, out, sizeof(float), cudaMemcpyDefault)));
  cudaFree(out);
}
