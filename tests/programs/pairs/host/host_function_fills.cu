// A function of the host fills pinned memory in one stream; another stream copies it to the device.
// WRONG: the second stream does not wait for the function.
// finds: unordered_use
// prints: 7
#include <cstdio>

constexpr int kCount = 5000;

static void Fill(void* data) {
  for (int i = 0; i < kCount; ++i) static_cast<int*>(data)[i] = 7;  // named
}

int main() {
  int *host, *device;
  cudaMallocHost(&host, kCount * sizeof(int));
  cudaMalloc(&device, kCount * sizeof(int));
  cudaStream_t fill, copy;
  cudaStreamCreate(&fill);
  cudaStreamCreate(&copy);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaLaunchHostFunc(fill, Fill, host);
  cudaEventRecord(filled, fill);
#ifndef WRONG
  cudaStreamWaitEvent(copy, filled);
#endif
  cudaMemcpyAsync(device, host, kCount * sizeof(int), cudaMemcpyHostToDevice, copy);  // named
  cudaDeviceSynchronize();
  int last;
  cudaMemcpy(&last, device + kCount - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaEventDestroy(filled);
  cudaStreamDestroy(fill);
  cudaStreamDestroy(copy);
  cudaFree(device);
  cudaFreeHost(host);
}
