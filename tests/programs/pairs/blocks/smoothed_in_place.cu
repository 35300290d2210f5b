// Each thread replaces its element by a mean of its neighbours, and counts how many have changed.
// WRONG: there is one array, so that a block may read what another block has replaced.
// finds: global_race
// prints: 0 no error
#include <cstdio>

__global__ void Smooth(const float* in, float* out, int n, unsigned* changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  const float old = in[i];
  const float mean = (in[i - 1] + old + in[i + 1]) / 3;  // named
  out[i] = mean;                                         // named
  if (mean != old) atomicAdd(changed, 1);
}

int main() {
  const int n = 1024;
  float *in, *out;
  unsigned *changed, host;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&changed, sizeof(unsigned));
  cudaMemset(in, 0, n * sizeof(float));
  cudaMemset(changed, 0, sizeof(unsigned));
#ifdef WRONG
  out = in;
#else
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(out, 0, n * sizeof(float));
#endif
  Smooth<<<n / 256, 256>>>(in, out, n, changed);
  cudaMemcpy(&host, changed, sizeof host, cudaMemcpyDeviceToHost);
  printf("%u %s\n", host, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  if (out != in) cudaFree(out);
  cudaFree(changed);
}
