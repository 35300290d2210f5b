// score: 100
// A tile of 128 x 128 takes more shared memory than a kernel has unless it asks for it.
#include "transpose.h"

constexpr int kTile = 128;
constexpr int kPitch = kTile + 1;
constexpr size_t kBytes = sizeof(float) * kTile * kPitch;

extern __shared__ float tile[];

__global__ void transpose_large(const float* __restrict__ in, float* __restrict__ out, int rows,
                                int cols) {
  const int across = (cols + kTile - 1) / kTile;
  const int left = blockIdx.x % across * kTile;
  const int top = blockIdx.x / across * kTile;
  for (int y = threadIdx.y; y < kTile && top + y < rows; y += blockDim.y) {
    for (int x = threadIdx.x; x < kTile && left + x < cols; x += blockDim.x) {
      tile[y * kPitch + x] = in[static_cast<size_t>(top + y) * cols + left + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile && left + y < cols; y += blockDim.y) {
    for (int x = threadIdx.x; x < kTile && top + x < rows; x += blockDim.x) {
      out[static_cast<size_t>(left + y) * rows + top + x] = tile[x * kPitch + y];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  cudaFuncSetAttribute(transpose_large, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  cudaFuncSetAttribute(transpose_large, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  const int tiles = (rows + kTile - 1) / kTile * ((cols + kTile - 1) / kTile);
  transpose_large<<<tiles, dim3(32, 16), kBytes>>>(in, out, rows, cols);
}
