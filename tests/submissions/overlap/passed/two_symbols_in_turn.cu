// score: 100
// The pieces go to two __device__ arrays, by cudaMemcpyToSymbolAsync; no device memory is
// allocated. Each array has its stream. The kernel is a template over the array's number, and knows
// it by name.
#include <algorithm>
#include <cstring>

#include "overlap.h"

namespace {

constexpr int kLength = 4094;
constexpr int kThreads = 128;

__device__ float arrays[2][kLength + 2];

template <int kArray>
__global__ void SmoothArray(float* out, int count) {
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) + 1;
  if (i > count) return;
  const float(&numbers)[kLength + 2] = arrays[kArray];
  out[i - 1] = numbers[i - 1] + 2 * numbers[i] + numbers[i + 1];
}

}  // namespace

void smooth(const float* in, float* out, int n) {
  const int pieces = (n + kLength - 1) / kLength;
  float* pinned = nullptr;
  cudaMallocHost(&pinned, (static_cast<size_t>(n) + 2) * sizeof(float));
  cudaStream_t streams[2];
  for (auto& stream : streams) cudaStreamCreate(&stream);
  pinned[0] = in[0];
  std::memcpy(pinned + 1, in, n * sizeof(float));
  pinned[n + 1] = in[n - 1];
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * kLength;
    const int count = std::min(kLength, n - begin);
    const int which = piece % 2;
    cudaMemcpyToSymbolAsync(arrays, pinned + begin, (count + 2) * sizeof(float),
                            which * sizeof(arrays[0]), cudaMemcpyHostToDevice, streams[which]);
    const int blocks = (count + kThreads - 1) / kThreads;
    auto* const kernel = which == 0 ? SmoothArray<0> : SmoothArray<1>;
    kernel<<<blocks, kThreads, 0, streams[which]>>>(out + begin, count);
  }
  for (auto stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFreeHost(pinned);
}
