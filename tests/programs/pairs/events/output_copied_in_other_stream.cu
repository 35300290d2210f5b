// The next batch is computed while the last one is copied to the host.
// WRONG: the kernel writes the output again before its copy is done.
// finds: unordered_use
// prints: 5 3005
#include <cstdio>

__global__ void Batch(int* out, int batch) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = batch * 1000 + threadIdx.x;
}

int main() {
  const int n = 512, batches = 4;
  int *out[2], *host;
  cudaMalloc(&out[0], n * sizeof(int));
  cudaMalloc(&out[1], n * sizeof(int));
  cudaMallocHost(&host, batches * n * sizeof(int));
  cudaStream_t compute, copy;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&copy);
  cudaEvent_t computed[2], copied[2];
  for (int i = 0; i < 2; i++) {
    cudaEventCreateWithFlags(&computed[i], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming);
  }
  for (int batch = 0; batch < batches; batch++) {
    const int slot = batch % 2;
#ifndef WRONG
    cudaStreamWaitEvent(compute, copied[slot], 0);
#endif
    Batch<<<n / 128, 128, 0, compute>>>(out[slot], batch);  // named
    cudaEventRecord(computed[slot], compute);
    cudaStreamWaitEvent(copy, computed[slot], 0);
    cudaMemcpyAsync(host + batch * n, out[slot], n * sizeof(int), cudaMemcpyDefault,
                    copy);  // named
    cudaEventRecord(copied[slot], copy);
  }
  cudaStreamSynchronize(copy);
  printf("%d %d\n", host[5], host[3 * n + 5]);
  for (int i = 0; i < 2; i++) {
    cudaEventDestroy(computed[i]);
    cudaEventDestroy(copied[i]);
    cudaFree(out[i]);
  }
  cudaFreeHost(host);
  cudaStreamDestroy(compute);
  cudaStreamDestroy(copy);
}
