// score: 100
// The first piece is small, so that its kernel begins early, and each piece has one and a half
// times the numbers of the one before, up to a limit. Four numbers a thread; where the alignment
// allows, as float4. Three streams take turns.
#include <cstring>

#include "overlap.h"

namespace grow {

constexpr int kFirst = 1024, kMost = 12'288;

// `in` has count + 2 numbers: one before and one behind. A thread has four of them.
__global__ void smooth_fours(const float* in, float* out, int count) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float v[6];
#pragma unroll
  for (int k = 0; k < 6; ++k) v[k] = i + k < count + 2 ? in[i + k] : 0.0f;
  const float sums[4] = {v[0] + 2 * v[1] + v[2], v[1] + 2 * v[2] + v[3], v[2] + 2 * v[3] + v[4],
                         v[3] + 2 * v[4] + v[5]};
  if (i + 4 <= count && reinterpret_cast<size_t>(out) % sizeof(float4) == 0) {
    *reinterpret_cast<float4*>(out + i) = make_float4(sums[0], sums[1], sums[2], sums[3]);
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (i + k < count) out[i + k] = sums[k];
    }
  }
}

}  // namespace grow

void smooth(const float* in, float* out, int n) {
  using namespace grow;
  // Room for all pieces: each has two numbers more, and there are at most this many.
  const int most_pieces = 8 + n / kMost + 1;
  const size_t bytes = (static_cast<size_t>(n) + 2 * most_pieces) * sizeof(float);
  float* host = nullptr;
  float* device = nullptr;
  cudaMallocHost(&host, bytes);
  cudaMalloc(&device, bytes);
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  size_t at = 0;
  int length = kFirst;
  for (int begin = 0, piece = 0; begin < n; ++piece) {
    const int count = n - begin < length ? n - begin : length;
    float* const staged = host + at;
    staged[0] = in[begin == 0 ? 0 : begin - 1];
    memcpy(staged + 1, in + begin, count * sizeof(float));
    staged[count + 1] = in[begin + count == n ? n - 1 : begin + count];
    const cudaStream_t stream = streams[piece % 3];
    cudaMemcpyAsync(device + at, staged, (count + 2) * sizeof(float), cudaMemcpyDefault, stream);
    smooth_fours<<<(count + 511) / 512, 128, 0, stream>>>(device + at, out + begin, count);
    at += count + 2;
    begin += count;
    length = length * 3 / 2 / 4 * 4;
    if (length > kMost) length = kMost;
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(device);
  cudaFreeHost(host);
}
