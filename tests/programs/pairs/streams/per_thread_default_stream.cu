// Workers launch in the default stream of their thread; the main thread fetches the results.
// WRONG: the workers end without a wait, and the main thread's own stream is not ordered with
// theirs. finds: early_host_use unordered_use flags: --default-stream per-thread
// prints: 1 8 27
#include <cstdio>
#include <thread>
#include <vector>

__global__ void Power(float* out, float base, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(base, i % 4);
}

static void Worker(float* out, int n, int id) {
  Power<<<(n + 127) / 128, 128>>>(out + id * n, id + 1, n);  // named
#ifndef WRONG
  cudaStreamSynchronize(0);
#endif
}

int main() {
  const int n = 1000, workers = 3;
  float* out;
  cudaMalloc(&out, workers * n * sizeof(float));
  std::vector<std::thread> threads;
  for (int id = 0; id < workers; id++) threads.emplace_back(Worker, out, n, id);
  for (auto& thread : threads) thread.join();
  std::vector<float> result(workers * n);
  cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost);  // named
  printf("%g %g %g\n", result[3], result[n + 3], result[2 * n + 3]);
  cudaDeviceSynchronize();
  cudaFree(out);
}
