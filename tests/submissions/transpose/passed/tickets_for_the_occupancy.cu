// score: 100
// A static initialiser asks once how many blocks the device can run. The blocks draw their tiles
// from a counter, which the last draw sets back.
#include <algorithm>

#include "transpose.h"

constexpr unsigned kTile = 64;

__device__ unsigned drawn;

template <unsigned kPadding>
__global__ void transpose_drawn(const float* in, float* out, unsigned rows, unsigned cols,
                                unsigned tiles) {
  __shared__ float tile[kTile][kTile + kPadding];
  __shared__ unsigned number;
  const unsigned across = (cols + kTile - 1) / kTile;
  do {
    // Every block draws one number too many: the counter wraps after tiles + gridDim.x draws.
    if (threadIdx.x == 0 && threadIdx.y == 0) number = atomicInc(&drawn, tiles + gridDim.x - 1);
    __syncthreads();
    const unsigned mine = number;
    if (mine >= tiles) break;
    const unsigned left = mine % across * kTile;
    const unsigned top = mine / across * kTile;
    for (unsigned y = threadIdx.y; y < kTile && top + y < rows; y += blockDim.y) {
      for (unsigned x = threadIdx.x; x < kTile && left + x < cols; x += 32) {
        tile[y][x] = in[size_t{top + y} * cols + left + x];
      }
    }
    __syncthreads();
    for (unsigned y = threadIdx.y; y < kTile && left + y < cols; y += blockDim.y) {
      for (unsigned x = threadIdx.x; x < kTile && top + x < rows; x += 32) {
        out[size_t{left + y} * rows + top + x] = tile[x][y];
      }
    }
    __syncthreads();
  } while (true);
}

static const int resident_blocks = [] {
  int processors = 0, of_each = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, transpose_drawn<1>, 32 * 6, 0);
  return std::max(1, processors * of_each);
}();

void transpose(const float* in, float* out, int rows, int cols) {
  const int tiles = (rows + 63) / 64 * ((cols + 63) / 64);
  transpose_drawn<1><<<std::min(tiles, resident_blocks), dim3(32, 6)>>>(in, out, rows, cols, tiles);
}
