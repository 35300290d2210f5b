// score: 100
// One of the two streams is cudaStreamPerThread, the other a non-blocking one. Kernels are launched
// by cudaLaunchKernelExC and by cudaLaunchKernel with an array of argument pointers. A block walks
// over its piece with a stride of the grid.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kPieces = 9;

__global__ void __launch_bounds__(96) smooth_strided(const float* in, float* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    out[i] = __fadd_rn(__fadd_rn(in[i], in[i + 2]), __fmul_rn(2.0f, in[i + 1]));
  }
}

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  float* pinned = nullptr;
  float* device = nullptr;
  cudaMallocHost(&pinned, (length + 2) * kPieces * sizeof(float));
  cudaMalloc(&device, (length + 2) * kPieces * sizeof(float));
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  const cudaStream_t both[] = {cudaStreamPerThread, own};
  for (int piece = 0; piece < kPieces && piece * length < n; ++piece) {
    const int begin = piece * length;
    int count = std::min(length, n - begin);
    float* const staged = pinned + piece * (length + 2);
    const float* from = device + piece * (length + 2);
    float* to = out + begin;
    for (int i = -1; i <= count; ++i) staged[i + 1] = in[std::clamp(begin + i, 0, n - 1)];
    const cudaStream_t stream = both[piece & 1];
    cudaMemcpyAsync(const_cast<float*>(from), staged, (count + 2) * sizeof(float),
                    cudaMemcpyHostToDevice, stream);
    void* arguments[] = {&from, &to, &count};
    const dim3 grid(std::max(1, count / 480)), block(96);
    if (piece % 2 == 0) {
      cudaLaunchKernel(reinterpret_cast<const void*>(&smooth_strided), grid, block, arguments, 0,
                       stream);
    } else {
      cudaLaunchConfig_t config{};
      config.gridDim = grid;
      config.blockDim = block;
      config.stream = stream;
      cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(&smooth_strided), arguments);
    }
  }
  cudaStreamSynchronize(cudaStreamPerThread);
  cudaStreamSynchronize(own);
  cudaStreamDestroy(own);
  cudaFree(device);
  cudaFreeHost(pinned);
}
