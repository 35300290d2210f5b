// score: 0
// says: more accesses of the host to pages that the device uses
// The host fills a pinned buffer that a copy may still read. Before that it writes to so many pages of
// which one number is being copied that the checker of the order cannot look at all accesses.
#include <algorithm>
#include <cstring>

#include "overlap.h"

namespace {

constexpr int kStreams = 2;
constexpr int kPieces = 8;
constexpr int kThreads = 256;
constexpr int kPage = 1024;   // numbers
constexpr int kPages = 1100;

// `in` points to the first number of the piece. Its neighbours lie before and after the piece.
__global__ void SmoothPiece(const float* in, float* out, int length) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < length) out[i] = in[i - 1] + 2 * in[i] + in[i + 1];
}

}  // namespace

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;  // of a piece; the last ones may be shorter
  const int room = length + 2;
  float* pinned = nullptr;
  float* pieces = nullptr;
  cudaMallocHost(&pinned, sizeof(float) * room * kPieces);
  cudaMalloc(&pieces, sizeof(float) * room * kPieces);
  float* log = nullptr;  // the first number of each page is copied
  float* copy_of_log = nullptr;
  cudaMallocHost(&log, sizeof(float) * kPage * kPages);
  cudaMalloc(&copy_of_log, sizeof(float) * kPages);
  std::memset(log, 0, sizeof(float) * kPage * kPages);
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);

  cudaMemcpy2DAsync(copy_of_log, sizeof(float), log, sizeof(float) * kPage, sizeof(float), kPages,
                    cudaMemcpyHostToDevice, streams[1]);
  for (int piece = 0; piece * length < n; ++piece) {
    const int begin = piece * length;
    const int end = std::min(begin + length, n);
    float* const staged = pinned;  // which the copy of the piece before may still read
    for (int page = 0; page < kPages; ++page) {
      static_cast<volatile float*>(log)[page * kPage + 1 + piece] = begin;  // another number
    }
    staged[0] = in[std::max(begin - 1, 0)];
    std::memcpy(staged + 1, in + begin, sizeof(float) * (end - begin));
    staged[end - begin + 1] = in[std::min(end, n - 1)];

    float* const copied = pieces + piece * room;
    const cudaStream_t stream = streams[piece % kStreams];
    cudaMemcpyAsync(copied, staged, sizeof(float) * (end - begin + 2), cudaMemcpyHostToDevice,
                    stream);
    SmoothPiece<<<(length + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
        copied + 1, out + begin, end - begin);
  }

  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(pieces);
  cudaFree(copy_of_log);
  cudaFreeHost(log);
  cudaFreeHost(pinned);
}
