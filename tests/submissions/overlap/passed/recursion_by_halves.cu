// score: 100
// A recursion cuts the array into halves until a piece is short, and gives its left half to one
// stream and its right half to the other. Each leaf is copied with its neighbours, into the gap
// that the recursion has left for it, so that pinned memory has one number more per border.
#include <algorithm>
#include <cstring>

#include "overlap.h"

namespace {

constexpr int kShort = 3500;

__global__ void Leaf(const float* __restrict__ leaf, float* __restrict__ out, int count) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  const float *p = leaf + t, *const end = leaf + count;
  if (p < end) out[t] = *p + *(p + 1) * 2 + *(p + 2);
}

struct Work {
  const float* in;
  float* out;
  int n;
  float* pinned;
  float* device;
  cudaStream_t streams[2];
  int used = 0;  // numbers of the pinned memory

  void Smooth(int begin, int end, int stream) {
    const int count = end - begin;
    if (count > kShort) {
      const int middle = begin + count / 2;
      Smooth(begin, middle, stream);
      Smooth(middle, end, 1 - stream);
      return;
    }
    float* const staged = pinned + used;
    float* const leaf = device + used;
    used += count + 2;
    *staged = in[begin ? begin - 1 : 0];
    std::copy(in + begin, in + end, staged + 1);
    *(staged + count + 1) = in[end == n ? n - 1 : end];
    cudaMemcpyAsync(leaf, staged, (count + 2) * sizeof *leaf, cudaMemcpyHostToDevice,
                    streams[stream]);
    Leaf<<<(count + 447) / 448, 448, 0, streams[stream]>>>(leaf, out + begin, count);
  }
};

}  // namespace

void smooth(const float* in, float* out, int n) {
  Work work{in, out, n, nullptr, nullptr, {}};
  // A leaf that is not the whole array has more than kShort / 2 - 1 numbers.
  const size_t room = (n + 2 * (2 * static_cast<size_t>(n) / (kShort - 2) + 1)) * sizeof(float);
  cudaMallocHost(&work.pinned, room);
  cudaMalloc(&work.device, room);
  for (cudaStream_t& stream : work.streams) cudaStreamCreate(&stream);
  work.Smooth(0, n, 0);
  for (cudaStream_t stream : work.streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(work.device);
  cudaFreeHost(work.pinned);
}
