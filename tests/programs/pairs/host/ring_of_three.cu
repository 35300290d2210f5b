// A ring of three pinned slots feeds the device; the host may be two chunks ahead.
// WRONG: the ring has one slot less than the host is ahead.
// finds: early_host_use
// prints: 12 of 12 sums right
#include <cstdio>
#include <vector>

constexpr int kSlotInts = 512;
constexpr int kChunks = 12;
#ifdef WRONG
constexpr int kAhead = 4;
#else
constexpr int kAhead = 3;
#endif
constexpr int kSlots = 3;

__global__ void Sum(const int* chunk, unsigned long long* sums, int index) {
  atomicAdd(&sums[index], static_cast<unsigned long long>(chunk[threadIdx.x]));
}

int main() {
  int *slots, *device;
  unsigned long long* sums;
  cudaMallocHost(&slots, kSlots * kSlotInts * sizeof(int));
  cudaMalloc(&device, kChunks * kSlotInts * sizeof(int));
  cudaMalloc(&sums, kChunks * sizeof(*sums));
  cudaMemset(sums, 0, kChunks * sizeof(*sums));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  std::vector<cudaEvent_t> sent(kChunks);
  for (auto& event : sent) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);

  for (int c = 0; c < kChunks; c++) {
    if (c >= kAhead) cudaEventSynchronize(sent[c - kAhead]);
    int* slot = slots + (c % kSlots) * kSlotInts;
    for (int i = 0; i < kSlotInts; i++) slot[i] = c + i;  // named
    int* target = device + c * kSlotInts;
    cudaMemcpyAsync(target, slot, kSlotInts * sizeof(int), cudaMemcpyDefault, stream);  // named
    cudaEventRecord(sent[c], stream);
    Sum<<<1, kSlotInts, 0, stream>>>(target, sums, c);
  }
  std::vector<unsigned long long> result(kChunks);
  cudaMemcpyAsync(result.data(), sums, kChunks * sizeof(*sums), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  int right = 0;
  for (int c = 0; c < kChunks; c++) {
    right += result[c] ==
             static_cast<unsigned long long>(kSlotInts) * c + kSlotInts * (kSlotInts - 1) / 2;
  }
  printf("%d of %d sums right\n", right, kChunks);
  for (auto event : sent) cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  cudaFreeHost(slots);
  cudaFree(device);
  cudaFree(sums);
}
