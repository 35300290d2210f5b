// score: 80
// says: the host waits for a flag that a host function or a kernel sets
// After each piece the host waits in a loop for a flag that the kernel writes into pinned memory.
#include <algorithm>
#include <cstring>

#include "overlap.h"

namespace {
constexpr int kStreams = 2;
constexpr int kPieces = 8;
constexpr int kThreads = 256;

// `in` points to the first number of the piece. Its neighbours lie before and after the piece.
__global__ void SmoothPiece(const float* in, float* out, int length) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < length) out[i] = in[i - 1] + 2 * in[i] + in[i + 1];
}

// Tells the host that the piece is done.
__global__ void Tell(volatile int* flag) {
  __threadfence_system();
  *flag = 1;
}

}  // namespace

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;  // of a piece; the last ones may be shorter
  const int room = length + 2;
  float* pinned = nullptr;
  float* pieces = nullptr;
  volatile int* flag = nullptr;
  cudaMallocHost(&pinned, sizeof(float) * room * kPieces);
  cudaMallocHost(&flag, sizeof(int));
  cudaMalloc(&pieces, sizeof(float) * room * kPieces);
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);

  for (int piece = 0; piece * length < n; ++piece) {
    const int begin = piece * length;
    const int end = std::min(begin + length, n);
    float* const staged = pinned + piece * room;
    staged[0] = in[std::max(begin - 1, 0)];
    std::memcpy(staged + 1, in + begin, sizeof(float) * (end - begin));
    staged[end - begin + 1] = in[std::min(end, n - 1)];

    float* const copied = pieces + piece * room;
    const cudaStream_t stream = streams[piece % kStreams];
    cudaMemcpyAsync(copied, staged, sizeof(float) * (end - begin + 2), cudaMemcpyHostToDevice,
                    stream);
    SmoothPiece<<<(length + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
        copied + 1, out + begin, end - begin);
    *flag = 0;
    Tell<<<1, 1, 0, stream>>>(const_cast<int*>(flag));
    while (*flag == 0) {
    }
  }

  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(pieces);
  cudaFreeHost(pinned);
  cudaFreeHost(const_cast<int*>(flag));
}
