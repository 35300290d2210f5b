// score: 0
// says: waits for an event that
// Kernels wait for events that nothing records: such a wait ends at once.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kPieces = 8;

// Smooths the numbers from `begin` to `end` of the whole array of n numbers.
__global__ void smooth_range(const float* in, float* out, int begin, int end, int n) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) out[i] = in[max(i - 1, 0)] + 2 * in[i] + in[min(i + 1, n - 1)];
}

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  const int last = (n - 1) / length;
  float* pinned = nullptr;
  float* device = nullptr;
  cudaMallocHost(&pinned, n * sizeof(float));
  cudaMalloc(&device, n * sizeof(float));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaEvent_t here[kPieces];
  for (cudaEvent_t& event : here) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int piece = 0; piece <= last; ++piece) {
    const int begin = piece * length;
    const int count = std::min(length, n - begin);
    std::memcpy(pinned + begin, in + begin, count * sizeof(float));
    cudaMemcpyAsync(device + begin, pinned + begin, count * sizeof(float), cudaMemcpyHostToDevice,
                    streams[0]);
  }
  for (int piece = 0; piece <= last; ++piece) {
    const int begin = piece * length;
    cudaStreamWaitEvent(streams[1], here[std::min(piece + 1, last)]);
    smooth_range<<<(length + 255) / 256, 256, 0, streams[1]>>>(device, out, begin,
                                                               std::min(begin + length, n), n);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  for (cudaEvent_t event : here) cudaEventDestroy(event);
  cudaFree(device);
  cudaFreeHost(pinned);
}
