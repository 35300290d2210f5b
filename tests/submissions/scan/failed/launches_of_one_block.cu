// score: 85
// says: let many blocks share the work
// Each launch scans a piece of the array with one block, and begins with the sum of the pieces
// before it. So the blocks take turns.
#include "scan.h"

constexpr int kPieces = 64;

__device__ int before;

__global__ void scan(const int* in, int* out, int begin, int end) {
  __shared__ int warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int carry = begin == 0 ? 0 : before;
  for (int first = begin; first < end; first += 1024) {
    const int i = first + threadIdx.x;
    const int own = i < end ? in[i] : 0;
    int sum = own;
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, sum, d);
      if (lane >= d) sum += left;
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    int of_warps = warps[lane];
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, of_warps, d);
      if (lane >= d) of_warps += left;
    }
    const int all = __shfl_sync(0xffffffff, of_warps, 31);
    const int earlier = __shfl_sync(0xffffffff, of_warps, warp) - __shfl_sync(0xffffffff, sum, 31);
    if (i < end) out[i] = carry + earlier + sum - own;
    carry += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) before = carry;
}

void exclusive_scan(const int* in, int* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  for (int begin = 0; begin < n; begin += length) {
    const int end = begin + length < n ? begin + length : n;
    scan<<<1, 1024>>>(in, out, begin, end);
  }
}
