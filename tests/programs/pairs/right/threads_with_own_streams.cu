// Each thread of the host works in its own stream and waits for it; the main thread joins them all.
// prints: 7000
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

__global__ void Square(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

int main() {
  const int n = 500, workers = 4;
  long total = 0;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int id = 0; id < workers; id++) {
    threads.emplace_back([&, id] {
      int *pinned, *device;
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      cudaMallocHost(&pinned, n * sizeof(int));
      cudaMalloc(&device, n * sizeof(int));
      for (int i = 0; i < n; i++) pinned[i] = id;
      cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream);
      Square<<<(n + 127) / 128, 128, 0, stream>>>(device, n);
      cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
      cudaStreamSynchronize(stream);
      long sum = 0;
      for (int i = 0; i < n; i++) sum += pinned[i];
      {
        std::lock_guard lock(mutex);
        total += sum;
      }
      cudaFree(device);
      cudaFreeHost(pinned);
      cudaStreamDestroy(stream);
    });
  }
  for (auto& thread : threads) thread.join();
  printf("%ld\n", total);
}
