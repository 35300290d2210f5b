// score: 100
// Each piece gets its device memory from the pool of the device, in its stream, and gives it back
// there: nothing but pinned memory is allocated at once. The wait is that for an event of each
// stream. A kernel with a tile in shared memory reads every number once.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kThreads = 256, kStreams = 3, kLength = 5000;

__global__ void tiled(const float* padded, float* out, int count) {
  __shared__ float tile[kThreads + 2];
  const int first = blockIdx.x * kThreads;
  for (int i = threadIdx.x; i < kThreads + 2 && first + i < count + 2; i += kThreads) {
    tile[i] = padded[first + i];
  }
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i < count) out[i] = tile[threadIdx.x] + 2 * tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
}

void smooth(const float* in, float* out, int n) {
  // The pinned copy has one number more on each side of the array.
  float* pinned = nullptr;
  cudaMallocHost(&pinned, (static_cast<size_t>(n) + 2) * sizeof(float));
  cudaStream_t streams[kStreams];
  cudaEvent_t ends[kStreams];
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamDefault);
    cudaEventCreateWithFlags(&ends[s], cudaEventBlockingSync | cudaEventDisableTiming);
  }
  pinned[0] = in[0];
  pinned[1] = in[0];
  int filled = 1;  // numbers of `in` that lie in pinned memory
  for (int begin = 0, s = 0; begin < n; begin += kLength, s = (s + 1) % kStreams) {
    const int count = std::min(kLength, n - begin);
    const int needed = std::min(n, begin + count + 1);
    std::copy(in + filled, in + needed, pinned + 1 + filled);
    filled = needed;
    if (filled == n) pinned[n + 1] = in[n - 1];
    float* piece = nullptr;
    cudaMallocAsync(&piece, (count + 2) * sizeof(float), streams[s]);
    cudaMemcpyAsync(piece, pinned + begin, (count + 2) * sizeof(float), cudaMemcpyHostToDevice,
                    streams[s]);
    tiled<<<(count + kThreads - 1) / kThreads, kThreads, 0, streams[s]>>>(piece, out + begin,
                                                                          count);
    cudaFreeAsync(piece, streams[s]);
  }
  for (int s = 0; s < kStreams; ++s) cudaEventRecord(ends[s], streams[s]);
  for (int s = 0; s < kStreams; ++s) {
    cudaEventSynchronize(ends[s]);
    cudaEventDestroy(ends[s]);
    cudaStreamDestroy(streams[s]);
  }
  cudaFreeHost(pinned);
}
