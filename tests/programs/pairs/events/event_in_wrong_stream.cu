// Three streams: load, compute, store. Each waits for the one before.
// WRONG: the event that stands for the computation is recorded in the load stream.
// finds: unordered_use
// prints: PASSED
#include <cstdio>

__global__ void Scale(float* data, float factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    data[i] *= factor;
  }
}

struct Pipeline {
  cudaStream_t load, compute, store;
  cudaEvent_t loaded, computed;
  Pipeline() {
    cudaStreamCreateWithFlags(&load, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&store, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&loaded, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&computed, cudaEventDisableTiming);
  }
  ~Pipeline() {
    cudaStreamDestroy(load);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(store);
    cudaEventDestroy(loaded);
    cudaEventDestroy(computed);
  }
  void Run(float* device, float* host, int n) {
    const size_t bytes = n * sizeof(float);
    cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, load);
    cudaEventRecord(loaded, load);
    cudaStreamWaitEvent(compute, loaded, 0);
    Scale<<<16, 128, 0, compute>>>(device, 2.0f, n);  // named
#ifdef WRONG
    cudaEventRecord(computed, load);
#else
    cudaEventRecord(computed, compute);
#endif
    cudaStreamWaitEvent(store, computed, 0);
    cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, store);  // named
    cudaStreamSynchronize(store);
  }
};

int main() {
  const int n = 10000;
  float *host, *device;
  cudaMallocHost(&host, n * sizeof(float));
  cudaMalloc(&device, n * sizeof(float));
  for (int i = 0; i < n; i++) host[i] = i;
  {
    Pipeline pipeline;
    pipeline.Run(device, host, n);
  }
  bool right = true;
  for (int i = 0; i < n; i++) right &= host[i] == 2.0f * i;
  puts(right ? "PASSED" : "FAILED");
  cudaFree(device);
  cudaFreeHost(host);
}
