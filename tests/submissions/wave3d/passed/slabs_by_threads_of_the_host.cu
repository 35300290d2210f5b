// score: 100
// Two threads of the host compute the upper and the lower half of the planes, each in its own
// stream; a cell that a warp has in common with its neighbours is passed on through a tile.
#include <functional>
#include <thread>
#include <utility>

#include "wave3d.h"

constexpr int kF = 4;

struct Job {
  float* next;
  const float* curr;
  const float* prev;
  const float* vsq;
  int nx, ny;
  int z_begin, z_end;
  float c[kF + 1];
};

template <int kX, int kY>
__global__ void half_of_the_planes(const __grid_constant__ Job job) {
  __shared__ float tile[kY + 2 * kF][kX + 2 * kF];
  const int x = blockIdx.x * kX + threadIdx.x + kF;
  const int y = blockIdx.y * kY + threadIdx.y + kF;
  const int plane = job.nx * job.ny;
  const bool in_grid = x < job.nx && y < job.ny;
  const bool in_interior = x < job.nx - kF && y < job.ny - kF;
  // The lowest plane first: from the bottom to the top.
  float up[kF] = {}, down[kF] = {}, middle = 0;  // up[i] is i + 1 planes above
  int at = ((job.z_end - 1) * job.ny + y) * job.nx + x;
  if (in_grid) {
#pragma unroll
    for (int i = 0; i < kF; ++i) {
      down[i] = job.curr[at + (i + 1) * plane];
      up[i] = job.curr[at - (i + 1) * plane];
    }
    middle = job.curr[at];
  }
  for (int z = job.z_end - 1; z >= job.z_begin; --z, at -= plane) {
    float(*const t)[kX + 2 * kF] = &tile[threadIdx.y + kF];
    const int tx = threadIdx.x + kF;
    if (in_grid) t[0][tx] = middle;
    if (threadIdx.x < kF && y < job.ny) {
      t[0][threadIdx.x] = job.curr[at - kF];
      if (x + kX < job.nx) t[0][tx + kX] = job.curr[at + kX];
    }
    if (threadIdx.y < kF && x < job.nx) {
      t[-kF][tx] = job.curr[at - kF * job.nx];
      if (y + kY < job.ny) t[kY][tx] = job.curr[at + kY * job.nx];
    }
    __syncthreads();
    if (in_interior) {
      float sum = 3 * job.c[0] * middle;
#pragma unroll
      for (int r = 1; r <= kF; ++r) {
        sum += job.c[r] *
               (t[0][tx - r] + t[0][tx + r] + t[-r][tx] + t[r][tx] + up[r - 1] + down[r - 1]);
      }
      job.next[at] = 2 * middle - job.prev[at] + job.vsq[at] * sum;
    }
    __syncthreads();
#pragma unroll
    for (int i = kF - 1; i > 0; --i) down[i] = down[i - 1];
    down[0] = middle;
    middle = up[0];
#pragma unroll
    for (int i = 0; i < kF - 1; ++i) up[i] = up[i + 1];
    if (in_grid && z > job.z_begin) up[kF - 1] = job.curr[at - (kF + 1) * plane];
  }
}

static void Run(const Job& job) {
  if (job.z_begin == job.z_end) return;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const dim3 grid((job.nx - 2 * kF + 31) / 32, (job.ny - 2 * kF + 15) / 16);
  half_of_the_planes<32, 16><<<grid, dim3(32, 16), 0, stream>>>(job);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  Job upper{next, curr, prev, vsq, nx, ny, kF, nz / 2, {c[0], c[1], c[2], c[3], c[4]}};
  Job lower = upper;
  lower.z_begin = std::exchange(upper.z_end, nz / 2);
  lower.z_end = nz - kF;
  std::thread other(Run, std::cref(upper));
  Run(lower);
  other.join();
}
