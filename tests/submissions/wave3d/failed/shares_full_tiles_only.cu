// score: 65
// says: where no thread uses what another has loaded
// Boxes of full tiles are marched through. In all others a thread loads each term.
#include "wave3d.h"

namespace {

constexpr int kRadius = 4;
constexpr int kTileX = 32;  // cells of a plane that a block computes, a thread each; one warp wide
constexpr int kTileY = 16;
constexpr int kDepth = 32;  // planes that a block computes

struct Coefficients {
  float c[kRadius + 1];
};

__global__ void WaveStep(float* next, const float* curr, const float* prev, const float* vsq,
                         int nx, int ny, int nz, Coefficients coefficients) {
  const float* const c = coefficients.c;
  __shared__ float tile[kTileY + 2 * kRadius][kTileX + 2 * kRadius];
  const int tx = static_cast<int>(threadIdx.x) + kRadius;  // this thread's cell in the tile
  const int ty = static_cast<int>(threadIdx.y) + kRadius;
  const int x = static_cast<int>(blockIdx.x) * kTileX + tx;
  const int y = static_cast<int>(blockIdx.y) * kTileY + ty;

  // Threads beyond the interior still load the frame for their neighbours. The first threads of
  // each row and column of the tile load its halo, on both sides.
  const bool in_grid = x < nx && y < ny;
  const bool in_interior = x < nx - kRadius && y < ny - kRadius;
  const bool loads_left = static_cast<int>(threadIdx.x) < kRadius && y < ny;
  const bool loads_right = loads_left && x + kTileX < nx;
  const bool loads_above = static_cast<int>(threadIdx.y) < kRadius && x < nx;
  const bool loads_below = loads_above && y + kTileY < ny;

  const int plane = ny * nx;
  const int first = static_cast<int>(blockIdx.z) * kDepth + kRadius;
  const int last = min(first + kDepth, nz - kRadius);  // the end, which is exclusive

  // column[kRadius + i] is the cell i planes below the one at hand; at first, of the plane before.
  float column[2 * kRadius + 1] = {};
  int cell = ((first - kRadius) * ny + y) * nx + x;
  for (int i = 1; i <= 2 * kRadius; ++i, cell += plane) {
    if (in_grid) column[i] = curr[cell];
  }
  cell -= kRadius * plane;

  for (int z = first; z < last; ++z, cell += plane) {
#pragma unroll
    for (int i = 0; i < 2 * kRadius; ++i) column[i] = column[i + 1];
    if (in_grid) {
      column[2 * kRadius] = curr[cell + kRadius * plane];
      tile[ty][tx] = column[kRadius];
    }
    if (loads_left) tile[ty][tx - kRadius] = curr[cell - kRadius];
    if (loads_right) tile[ty][tx + kTileX] = curr[cell + kTileX];
    if (loads_above) tile[ty - kRadius][tx] = curr[cell - kRadius * nx];
    if (loads_below) tile[ty + kTileY][tx] = curr[cell + kTileY * nx];
    __syncthreads();  // the tile is filled

    if (in_interior) {
      float sum = 3 * c[0] * column[kRadius];
#pragma unroll
      for (int r = 1; r <= kRadius; ++r) {
        const float in_plane =
            tile[ty][tx - r] + tile[ty][tx + r] + tile[ty - r][tx] + tile[ty + r][tx];
        sum += c[r] * (in_plane + column[kRadius - r] + column[kRadius + r]);
      }
      next[cell] = 2 * column[kRadius] - prev[cell] + vsq[cell] * sum;
    }
    __syncthreads();  // no thread needs the tile any more
  }
}

int Blocks(int cells, int cells_a_block) { return (cells + cells_a_block - 1) / cells_a_block; }

// A load for each term.
__global__ void WithoutReuse(float* next, const float* curr, const float* prev, const float* vsq,
                             int nx, int ny, int nz, Coefficients coefficients) {
  const float* const c = coefficients.c;
  const int x = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x) + kRadius;
  const int y = static_cast<int>(blockIdx.y) * 8 + static_cast<int>(threadIdx.y) + kRadius;
  const int z = static_cast<int>(blockIdx.z) + kRadius;
  if (x >= nx - kRadius || y >= ny - kRadius) return;
  const int plane = ny * nx;
  const int cell = (z * ny + y) * nx + x;
  float sum = 3 * c[0] * curr[cell];
  for (int r = 1; r <= kRadius; ++r) {
    sum += c[r] * (curr[cell - r] + curr[cell + r] + curr[cell - r * nx] + curr[cell + r * nx] +
                   curr[cell - r * plane] + curr[cell + r * plane]);
  }
  next[cell] = 2 * curr[cell] - prev[cell] + vsq[cell] * sum;
}

}  // namespace

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  Coefficients coefficients;
  for (int r = 0; r <= kRadius; ++r) coefficients.c[r] = c[r];
  if ((nx - 2 * kRadius) % kTileX != 0 || (ny - 2 * kRadius) % kTileY != 0) {
    const dim3 cells(Blocks(nx - 2 * kRadius, 32), Blocks(ny - 2 * kRadius, 8), nz - 2 * kRadius);
    WithoutReuse<<<cells, dim3(32, 8)>>>(next, curr, prev, vsq, nx, ny, nz, coefficients);
    return;
  }
  const dim3 block(kTileX, kTileY);
  const dim3 grid(Blocks(nx - 2 * kRadius, kTileX), Blocks(ny - 2 * kRadius, kTileY),
                  Blocks(nz - 2 * kRadius, kDepth));
  WaveStep<<<grid, block>>>(next, curr, prev, vsq, nx, ny, nz, coefficients);
}
