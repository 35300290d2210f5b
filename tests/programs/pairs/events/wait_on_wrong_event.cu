// Each of four chunks is made in one stream and used in another, with an event for each chunk.
// WRONG: the user of chunk i waits for the event of chunk i - 1.
// finds: unordered_use
// prints: ok
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kChunks = 4;
constexpr int kChunk = 2048;

__global__ void Make(int* out, int start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = start + i;
}

__global__ void Double(int* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
}

int main() {
  int* data;
  cudaMalloc(&data, kChunks * kChunk * sizeof(int));
  cudaStream_t maker, user;
  cudaStreamCreate(&maker);
  cudaStreamCreate(&user);
  std::vector<cudaEvent_t> ready(kChunks);
  for (auto& event : ready) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);

  for (int i = 0; i < kChunks; i++) {
    Make<<<kChunk / 256, 256, 0, maker>>>(data + i * kChunk, i * kChunk);  // named
    cudaEventRecord(ready[i], maker);
  }
  for (int i = 0; i < kChunks; i++) {
#ifdef WRONG
    cudaStreamWaitEvent(user, ready[std::max(i - 1, 0)], 0);
#else
    cudaStreamWaitEvent(user, ready[i], 0);
#endif
    Double<<<kChunk / 256, 256, 0, user>>>(data + i * kChunk);  // named
  }
  std::vector<int> result(kChunks * kChunk);
  cudaStreamSynchronize(user);
  cudaMemcpy(result.data(), data, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < kChunks * kChunk; i++) right = right && result[i] == 2 * i;
  printf("%s\n", right ? "ok" : "wrong result");
  for (auto event : ready) cudaEventDestroy(event);
  cudaStreamDestroy(maker);
  cudaStreamDestroy(user);
  cudaFree(data);
}
