// score: 100
// Groups are half warps: tiles of 16 lanes of the cooperative groups scan 16 numbers in four steps.
// A half warp walks along its own 512 numbers, eight times 64 at once, because each lane has an
// int4. Two half warps of one warp are in different places.
#include <cooperative_groups.h>

#include "scan.h"

namespace cg = cooperative_groups;

namespace half_warps {

using Group = cg::thread_block_tile<16>;
constexpr int kBlock = 192;
constexpr int kPart = 512;
constexpr int kGroups = kBlock / 16;

struct Four {
  int at[4];

  __device__ static Four load(const int* from, long long i, long long n) {
    if (i + 3 < n) {
      const int4 v = *reinterpret_cast<const int4*>(from + i);
      return {{v.x, v.y, v.z, v.w}};
    }
    Four four{};
    for (int k = 0; k < 4; ++k) {
      if (i + k < n) four.at[k] = from[i + k];
    }
    return four;
  }

  __device__ void store(int* to, long long i, long long n) const {
    if (i + 3 < n) {
      // Without this function, nvcc makes four stores of four bytes of it.
      __stcg(reinterpret_cast<int4*>(to + i), make_int4(at[0], at[1], at[2], at[3]));
      return;
    }
    for (int k = 0; k < 4; ++k) {
      if (i + k < n) to[i + k] = at[k];
    }
  }

  __device__ int sum() const { return (at[0] + at[1]) + (at[2] + at[3]); }

  // Replaces each number by `before` and all numbers before it.
  __device__ void scan(int before) {
    for (int& number : at) {
      const int next = before + number;
      number = before;
      before = next;
    }
  }
};

__global__ void add_up(const int* in, int* sums, int n) {
  const Group group = cg::tiled_partition<16>(cg::this_thread_block());
  const long long part = static_cast<long long>(blockIdx.x) * kGroups + group.meta_group_rank();
  int sum = 0;
  for (int step = 0; step < kPart; step += 64) {
    sum += Four::load(in, part * kPart + step + 4 * group.thread_rank(), n).sum();
  }
  for (int d = 8; d > 0; d >>= 1) sum += group.shfl_xor(sum, d);
  if (group.thread_rank() == 0 && part * kPart < n) sums[part] = sum;
}

__global__ void scan_parts(const int* in, const int* before, int* out, int n) {
  const Group group = cg::tiled_partition<16>(cg::this_thread_block());
  const long long part = static_cast<long long>(blockIdx.x) * kGroups + group.meta_group_rank();
  int carried = before != nullptr && part * kPart < n ? before[part] : 0;
  for (int step = 0; step < kPart; step += 64) {
    const long long i = part * kPart + step + 4 * group.thread_rank();
    Four four = Four::load(in, i, n);
    const int own = four.sum();
    int sum = own;
    for (unsigned d = 1; d < 16; d *= 2) {
      const int left = group.shfl_up(sum, d);
      if (group.thread_rank() >= d) sum += left;
    }
    four.scan(carried + sum - own);
    four.store(out, i, n);
    carried += group.shfl(sum, 15);
  }
}

}  // namespace half_warps

void exclusive_scan(const int* in, int* out, int n) {
  using namespace half_warps;
  const int parts = (n - 1) / kPart + 1;
  const int blocks = (parts - 1) / kGroups + 1;
  if (parts == 1) {
    scan_parts<<<1, kBlock>>>(in, nullptr, out, n);
    return;
  }
  int* sums = nullptr;
  int* before = nullptr;
  cudaMallocAsync(&sums, parts * sizeof(int), 0);
  cudaMallocAsync(&before, parts * sizeof(int), 0);
  add_up<<<blocks, kBlock>>>(in, sums, n);
  exclusive_scan(sums, before, parts);
  scan_parts<<<blocks, kBlock>>>(in, before, out, n);
  cudaFreeAsync(sums, 0);
  cudaFreeAsync(before, 0);
}
