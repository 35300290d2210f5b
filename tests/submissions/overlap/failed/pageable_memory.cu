// score: 85
// says: pageable
// cudaMemcpyAsync copies from pageable memory, so that the host waits.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kPieces = 8;
constexpr int kStreams = 2;

__global__ void smooth_piece(const float* in, float* out, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) out[i] = in[i - 1] + 2 * in[i] + in[i + 1];
}

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  const int room = length + 2;
  const int blocks = (length + 255) / 256;
  float* device = nullptr;
  cudaMalloc(&device, room * kPieces * sizeof(float));
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int piece = 0; piece * length < n; ++piece) {
    const int begin = piece * length;
    const int end = std::min(begin + length, n);
    const cudaStream_t stream = streams[piece % kStreams];
    float* const copied = device + piece * room;
    const float ends[2] = {in[std::max(begin - 1, 0)], in[std::min(end, n - 1)]};
    cudaMemcpyAsync(copied, &ends[0], sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(copied + 1, in + begin, (end - begin) * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    cudaMemcpyAsync(copied + 1 + end - begin, &ends[1], sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    smooth_piece<<<blocks, 256, 0, stream>>>(copied + 1, out + begin, end - begin);
  }
  for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(device);
}
