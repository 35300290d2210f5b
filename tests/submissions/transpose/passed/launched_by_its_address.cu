// score: 100
// cudaLaunchKernel launches an extern "C" kernel, with words instead of floats: only their bits are
// moved.
#include <cstdint>

#include "transpose.h"

union Word {
  float number;
  std::uint32_t bits;
  unsigned char bytes[4];
};

extern "C" __global__ void __launch_bounds__(32 * 4, 8)
    turn_words(const Word* in, Word* out, int rows, int cols) {
  __shared__ std::uint32_t tile[32][33];
  const int left = static_cast<int>(blockIdx.x) * 32;
  const int x = static_cast<int>(threadIdx.x);
  for (int top = static_cast<int>(blockIdx.y) * 32; top < rows; top += 32 * gridDim.y) {
    for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) {
      if (top + y < rows && left + x < cols) {
        tile[y][x] = in[static_cast<size_t>(top + y) * cols + left + x].bits;
      }
    }
    __syncthreads();
    for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) {
      if (left + y < cols && top + x < rows) {
        Word word;
        word.bits = tile[x][y];
        out[static_cast<size_t>(left + y) * rows + top + x] = word;
      }
    }
    __syncthreads();
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  void* arguments[] = {static_cast<void*>(&in), &out, &rows, &cols};
  const dim3 grid((cols + 31) / 32, rows < 32 * 1000 ? (rows + 31) / 32 : 1000);
  if (cudaLaunchKernel(reinterpret_cast<void*>(&turn_words), grid, dim3(32, 4), arguments, 0,
                       cudaStreamLegacy) != cudaSuccess) {
    return;
  }
  if (cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady) cudaStreamSynchronize(nullptr);
}
