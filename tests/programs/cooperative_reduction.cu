// This program makes one launch that waits for its whole grid: every block adds its part, all
// blocks meet, and the first adds the parts. Then groups of a block do the same.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void Sum(const int* in, int* parts, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int sums[4];
  int value = 0;
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) value += in[i];
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  for (int step = warp.size() / 2; step > 0; step /= 2) value += warp.shfl_down(value, step);
  if (warp.thread_rank() == 0) sums[block.thread_rank() / 32] = value;
  block.sync();
  if (block.thread_rank() == 0) parts[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];
    *out = sum;
  }
}

int main() {
  const int n = 25000;
  int blocks = 6, size = n;
  Numbers numbers(9);
  std::vector<int> in(n);
  int sum = 0;
  for (int& value : in) sum += value = int(numbers.Next() % 1001) - 500;
  const Array<int> from(in), parts(blocks), to(1);
  const int* from_data = from.data();
  int* parts_data = parts.data();
  int* to_data = to.data();
  void* arguments[] = {&from_data, &parts_data, &to_data, &size};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(Sum), dim3(blocks), dim3(128),
                                    arguments));
  CHECK(cudaDeviceSynchronize());
  std::printf("host %d, device %d\n", sum, to.Get()[0]);
  return 0;
}
