// score: 100
// Two tiles take turns, so that one barrier a plane is enough.
#include <cooperative_groups.h>

#include "wave3d.h"

namespace cg = cooperative_groups;

constexpr int kReach = 4;
constexpr int kX = 32;
constexpr int kY = 16;
constexpr int kZ = 32;

struct Factors {
  float middle, c1, c2, c3, c4;
};

__global__ void __launch_bounds__(kX* kY)
    march(float* __restrict__ next, const float* __restrict__ curr, const float* __restrict__ prev,
          const float* __restrict__ vsq, int nx, int ny, int nz, const Factors f) {
  __shared__ float tiles[2][kY + 2 * kReach][kX + 2 * kReach];
  const auto block = cg::this_thread_block();
  const int tx = block.thread_index().x + kReach, ty = block.thread_index().y + kReach;
  const int x = block.group_index().x * kX + tx, y = block.group_index().y * kY + ty;
  const int first = block.group_index().z * kZ + kReach;
  const int last = min(first + kZ, nz - kReach);
  const bool exists = x < nx && y < ny;
  const bool result = x < nx - kReach && y < ny - kReach;
  const int plane = nx * ny;
  const float* p = curr + static_cast<size_t>(first) * plane + y * nx + x;

  float b4 = 0, b3 = 0, b2 = 0, b1 = 0, here = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0;
  if (exists) {
    b3 = p[-4 * plane], b2 = p[-3 * plane], b1 = p[-2 * plane], here = p[-plane];
    a1 = p[0], a2 = p[plane], a3 = p[2 * plane], a4 = p[3 * plane];
  }
  for (int z = first; z < last; ++z, p += plane) {
    b4 = b3, b3 = b2, b2 = b1, b1 = here, here = a1, a1 = a2, a2 = a3, a3 = a4;
    auto& tile = tiles[z & 1];
    if (exists) {
      a4 = p[4 * plane];
      tile[ty][tx] = here;
    }
    if (tx < 2 * kReach && y < ny) {
      tile[ty][tx - kReach] = p[-kReach];
      if (x + kX < nx) tile[ty][tx + kX] = p[kX];
    }
    if (ty < 2 * kReach && x < nx) {
      tile[ty - kReach][tx] = p[-kReach * nx];
      if (y + kY < ny) tile[ty + kY][tx] = p[kY * nx];
    }
    block.sync();
    if (!result) continue;
    const float* const t = &tile[ty][tx];
    constexpr int kPitch = kX + 2 * kReach;
    float sum = f.middle * here;
    sum += f.c1 * (b1 + a1 + t[-1] + t[1] + t[-kPitch] + t[kPitch]);
    sum += f.c2 * (b2 + a2 + t[-2] + t[2] + t[-2 * kPitch] + t[2 * kPitch]);
    sum += f.c3 * (b3 + a3 + t[-3] + t[3] + t[-3 * kPitch] + t[3 * kPitch]);
    sum += f.c4 * (b4 + a4 + t[-4] + t[4] + t[-4 * kPitch] + t[4 * kPitch]);
    const size_t at = p - curr;
    next[at] = 2 * here - prev[at] + vsq[at] * sum;
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  const auto blocks = [](int cells, int each) {
    return static_cast<unsigned>((cells - 2 * kReach + each - 1) / each);
  };
  march<<<dim3(blocks(nx, kX), blocks(ny, kY), blocks(nz, kZ)), dim3(kX, kY)>>>(
      next, curr, prev, vsq, nx, ny, nz, {3 * c[0], c[1], c[2], c[3], c[4]});
}
