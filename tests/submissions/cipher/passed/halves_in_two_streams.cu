// score: 100
// The text has two halves, each in a stream of its own. The copy of the table to constant memory is
// in the first stream, and the second waits for it by an event. For mixed letters the halves need
// nothing of each other. Threads walk backwards through their part, which is 32 neighbours wide.
#include <array>

#include "cipher.h"

namespace streams {

__constant__ int table_of_runs[kMostLetters];

struct Part {
  const int* text;
  int* out;
  int length;
};

__device__ int LastOf(int length) {
  const int threads = gridDim.x * blockDim.x;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  return t >= length ? -1 : t + (length - 1 - t) / threads * threads;
}

__global__ void Runs(Part part) {
  for (int i = LastOf(part.length); i >= 0; i -= gridDim.x * blockDim.x) {
    part.out[i] = table_of_runs[part.text[i]];
  }
}

__global__ void Mixed(Part part, const int* table, int letters) {
  volatile __shared__ int kept[kMostLetters];
  for (int i = threadIdx.x; i < letters; i += blockDim.x) kept[i] = table[i];
  __syncthreads();
  for (int i = LastOf(part.length); i >= 0; i -= gridDim.x * blockDim.x) {
    part.out[i] = kept[part.text[i]];
  }
}

}  // namespace streams

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  using namespace streams;
  const int half = n / 2 / 64 * 64;
  const std::array<Part, 2> parts = {Part{text, out, half}, {text + half, out + half, n - half}};
  std::array<cudaStream_t, 2> queues;
  for (cudaStream_t& queue : queues) cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking);
  if (run >= 32) {
    cudaMemcpyToSymbolAsync(table_of_runs, table, sizeof(int) * letters, 0,
                            cudaMemcpyDeviceToDevice, queues[0]);
    cudaEvent_t copied;
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaEventRecord(copied, queues[0]);
    cudaStreamWaitEvent(queues[1], copied);
    cudaEventDestroy(copied);
  }
  for (int h = 0; h < 2; ++h) {
    if (parts[h].length == 0) continue;
    const int blocks = (parts[h].length - 1) / 2048 + 1;
    if (run >= 32) {
      Runs<<<blocks, 128, 0, queues[h]>>>(parts[h]);
    } else {
      Mixed<<<blocks, 128, 0, queues[h]>>>(parts[h], table, letters);
    }
  }
  for (cudaStream_t queue : queues) {
    cudaStreamSynchronize(queue);
    cudaStreamDestroy(queue);
  }
}
