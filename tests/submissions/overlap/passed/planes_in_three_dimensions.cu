// score: 100
// Numbers are copied as planes of 32 x 32 by cudaMemcpy3DAsync, four planes at a time. A kernel
// runs in the stream that has copied the piece behind its own. A template parameter says whether a
// piece has an end of the array.
#include <algorithm>
#include <cstring>

#include "overlap.h"

namespace {

constexpr int kPlane = 32 * 32;
constexpr int kPlanesOfPiece = 4;
constexpr int kPiece = kPlane * kPlanesOfPiece;

template <bool kEnds>
__global__ void SmoothPiece(const float* numbers, float* out, int begin, int end, int n) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const int before = kEnds ? max(i - 1, 0) : i - 1;
  const int after = kEnds ? min(i + 1, n - 1) : i + 1;
  out[i] = numbers[before] + 2 * numbers[i] + numbers[after];
}

cudaMemcpy3DParms CopyOf(float* from, float* to, int planes) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from, 32 * sizeof(float), 32, 32);
  copy.dstPtr = make_cudaPitchedPtr(to, 32 * sizeof(float), 32, 32);
  copy.extent = make_cudaExtent(32 * sizeof(float), 32, planes);
  copy.kind = cudaMemcpyHostToDevice;
  return copy;
}

}  // namespace

void smooth(const float* in, float* out, int n) {
  const int planes = (n + kPlane - 1) / kPlane;
  const int pieces = (planes + kPlanesOfPiece - 1) / kPlanesOfPiece;
  float *pinned, *device;
  cudaMallocHost(&pinned, sizeof(float) * planes * kPlane);
  cudaMalloc(&device, sizeof(float) * planes * kPlane);
  cudaStream_t streams[2];
  cudaEvent_t copied[2];
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaEventCreateWithFlags(&copied[s], cudaEventDisableTiming);
  }
  const auto launch = [&](int piece, cudaStream_t stream) {
    const int begin = piece * kPiece, end = std::min(n, begin + kPiece);
    if (piece == 0 || end == n) {
      SmoothPiece<true><<<kPiece / 128, 128, 0, stream>>>(device, out, begin, end, n);
    } else {
      SmoothPiece<false><<<kPiece / 128, 128, 0, stream>>>(device, out, begin, end, n);
    }
  };
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * kPiece, end = std::min(n, begin + kPiece);
    const int first = piece * kPlanesOfPiece;
    const int count = std::min(kPlanesOfPiece, planes - first);
    std::memcpy(pinned + begin, in + begin, sizeof(float) * (end - begin));
    std::fill(pinned + end, pinned + (first + count) * kPlane, 0.0F);  // the rest of a plane
    const cudaMemcpy3DParms copy = CopyOf(pinned + begin, device + begin, count);
    cudaMemcpy3DAsync(&copy, streams[piece % 2]);
    cudaEventRecord(copied[piece % 2], streams[piece % 2]);
    if (piece > 0) {
      cudaStreamWaitEvent(streams[piece % 2], copied[(piece - 1) % 2], 0);
      launch(piece - 1, streams[piece % 2]);
    }
  }
  if (pieces > 1) cudaStreamWaitEvent(streams[(pieces - 1) % 2], copied[pieces % 2], 0);
  launch(pieces - 1, streams[(pieces - 1) % 2]);
  for (int s = 0; s < 2; ++s) {
    cudaStreamSynchronize(streams[s]);
    cudaStreamDestroy(streams[s]);
    cudaEventDestroy(copied[s]);
  }
  cudaFree(device);
  cudaFreeHost(pinned);
}
