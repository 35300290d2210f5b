// score: 100
// The numbers are pinned where they lie, and each stream copies from there.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kPieces = 6;

__global__ void smooth_piece(const float* in, float* out, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) out[i] = in[i - 1] + 2 * in[i] + in[i + 1];
}

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  float* const pinned = const_cast<float*>(in);
  float* device = nullptr;
  cudaHostRegister(pinned, n * sizeof(float), cudaHostRegisterDefault);
  cudaMalloc(&device, (length + 2) * kPieces * sizeof(float));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int piece = 0; piece * length < n; ++piece) {
    const int begin = piece * length;
    const int end = std::min(begin + length, n);
    const cudaStream_t stream = streams[piece % 2];
    float* const copied = device + piece * (length + 2);
    const auto copy = [&](float* to, const float* from, int count) {
      cudaMemcpyAsync(to, from, count * sizeof(float), cudaMemcpyHostToDevice, stream);
    };
    copy(copied, pinned + std::max(begin - 1, 0), 1);
    copy(copied + 1, pinned + begin, end - begin);
    copy(copied + 1 + end - begin, pinned + std::min(end, n - 1), 1);
    smooth_piece<<<(length + 255) / 256, 256, 0, stream>>>(copied + 1, out + begin, end - begin);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaHostUnregister(pinned);
  cudaFree(device);
}
