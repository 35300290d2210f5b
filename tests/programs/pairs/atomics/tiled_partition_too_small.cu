// Tiles of 16 lanes share a row of shared memory each.
// WRONG: a row is shared by 32 lanes, but only tiles of 16 are synchronised.
// finds: shared_race
// prints: 31 96
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
#ifdef WRONG
constexpr int kTile = 16;
#else
constexpr int kTile = 32;
#endif

__global__ void Reverse(const float* in, float* out) {
  __shared__ float rows[2][32];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<kTile>(block);
  int row = threadIdx.x / 32, column = threadIdx.x % 32;
  rows[row][column] = in[blockIdx.x * blockDim.x + threadIdx.x];  // named
  tile.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = rows[row][31 - column];  // named
}

int main() {
  float host[128], *in, *out;
  for (int i = 0; i < 128; i++) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  Reverse<<<2, 64>>>(in, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[127]);
  cudaFree(in);
  cudaFree(out);
}
