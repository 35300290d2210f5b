// A struct in managed memory holds the parameters of each step.
// WRONG: the host changes the parameters while the step before may still read them.
// finds: early_host_use
// prints: x = 3
#include <cstdio>

struct Parameters {
  float dt;
  int step;
};

__global__ void Step(const Parameters* parameters, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += parameters->dt * parameters->step;
}

int main() {
  const int n = 1000;
  Parameters* parameters;
  float* x;
  cudaMallocManaged(&parameters, sizeof(Parameters));
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  parameters->dt = 0.5f;
  for (int step = 0; step < 4; step++) {
    parameters->step = step;                           // named
    Step<<<(n + 255) / 256, 256>>>(parameters, x, n);  // named
#ifndef WRONG
    cudaDeviceSynchronize();
#endif
  }
  static float result[n];
  cudaMemcpy(result, x, sizeof(result), cudaMemcpyDeviceToHost);
  printf("x = %g\n", result[n - 1]);
  cudaFree(x);
  cudaFree(parameters);
}
