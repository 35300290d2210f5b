// A heat equation swaps two arrays in each step; a second stream saves every other step.
// WRONG: the next steps write the array that is being saved.
// finds: unordered_use
// prints: 0
#include <cstdio>
#include <utility>

__global__ void Heat(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i == n - 1) to[i] = from[i];
  if (i > 0 && i < n - 1) to[i] = from[i] + 0.1f * (from[i - 1] - 2 * from[i] + from[i + 1]);
}

int main() {
  const int n = 2048, steps = 6;
  float *from, *to, *saved;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMallocHost(&saved, steps / 2 * n * sizeof(float));
  cudaStream_t compute, save;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&save);
  cudaEvent_t step_done, save_done;
  cudaEventCreateWithFlags(&step_done, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&save_done, cudaEventDisableTiming);
  cudaMemsetAsync(from, 0, n * sizeof(float), compute);
  for (int step = 0; step < steps; step++) {
#ifndef WRONG
    cudaStreamWaitEvent(compute, save_done);
#endif
    Heat<<<n / 256, 256, 0, compute>>>(from, to, n);  // named
    std::swap(from, to);
    if (step % 2 == 0) {
      cudaEventRecord(step_done, compute);
      cudaStreamWaitEvent(save, step_done);
      cudaMemcpyAsync(saved + step / 2 * n, from, n * sizeof(float),
                      cudaMemcpyDeviceToHost,  // named
                      save);
      cudaEventRecord(save_done, save);
    }
  }
  cudaDeviceSynchronize();
  printf("%g\n", saved[n]);
  cudaFree(from);
  cudaFree(to);
  cudaFreeHost(saved);
  cudaEventDestroy(step_done);
  cudaEventDestroy(save_done);
  cudaStreamDestroy(compute);
  cudaStreamDestroy(save);
}
