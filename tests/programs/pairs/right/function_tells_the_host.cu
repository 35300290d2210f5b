// A function of the host fills pinned memory and tells the host, which waits for it by a condition
// variable. So another stream may use the memory then.
// prints: 7
#include <condition_variable>
#include <cstdio>
#include <mutex>

struct Filled {
  int* values;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

static void Fill(void* data) {
  Filled& filled = *static_cast<Filled*>(data);
  for (int i = 0; i < 1024; ++i) filled.values[i] = 7;
  const std::lock_guard lock(filled.mutex);
  filled.done = true;
  filled.changed.notify_one();
}

int main() {
  Filled filled;
  int* device;
  cudaMallocHost(&filled.values, 1024 * sizeof(int));
  cudaMalloc(&device, 1024 * sizeof(int));
  cudaStream_t fill, copy;
  cudaStreamCreate(&fill);
  cudaStreamCreate(&copy);
  cudaLaunchHostFunc(fill, Fill, &filled);
  {
    std::unique_lock lock(filled.mutex);
    filled.changed.wait(lock, [&] { return filled.done; });
  }
  cudaMemcpyAsync(device, filled.values, 1024 * sizeof(int), cudaMemcpyHostToDevice, copy);
  cudaDeviceSynchronize();
  int last;
  cudaMemcpy(&last, device + 1023, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaStreamDestroy(fill);
  cudaStreamDestroy(copy);
  cudaFree(device);
  cudaFreeHost(filled.values);
}
