// score: 100
// The threads wait for the asynchronous copies before they use the tile.
#include "transpose.h"

__device__ void copy_async(float* to, const float* from) {
  unsigned address = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from) : "memory");
}

__global__ void tiled(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < cols && y + j < rows) {
      copy_async(&tile[threadIdx.y + j][threadIdx.x], &in[(size_t)(y + j) * cols + x]);
    }
  }
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < rows && y + j < cols) {
      out[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  tiled<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
