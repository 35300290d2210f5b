// A cooperative kernel smooths an array several times.
// WRONG: between the steps only the block is synchronised, not the grid.
// finds: global_race
// notes: uninitialised_use
// prints: 6
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void Smooth(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  for (int step = 0; step < steps; step++) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      float left = a[i > 0 ? i - 1 : 0], right = a[i < n - 1 ? i + 1 : n - 1];  // named
      b[i] = (left + right) / 2;                                                // named
    }
#ifdef WRONG
    block.sync();
#else
    grid.sync();
#endif
    float* other = a;
    a = b;
    b = other;
  }
}

int main() {
  int n = 2048, steps = 4;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  static float host[2048];
  for (int i = 0; i < n; i++) host[i] = 6;
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b, &n, &steps};
  cudaLaunchCooperativeKernel((void*)Smooth, dim3(8), dim3(128), arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaMemcpy(host, a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[1000]);
  cudaFree(a);
  cudaFree(b);
}
