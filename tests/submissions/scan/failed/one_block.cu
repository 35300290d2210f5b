// score: 85
// says: let many blocks share the work
// One block walks along the array and carries its sum, so that a GPU uses one of its many
// multiprocessors.
#include "scan.h"

__global__ void scan(const int* in, int* out, int n) {
  __shared__ int warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int before = 0;
  for (int first = 0; first < n; first += 1024) {
    const int i = first + threadIdx.x;
    const int own = i < n ? in[i] : 0;
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
    if (i < n) out[i] = before + earlier + sum - own;
    before += all;
    __syncthreads();
  }
}

void exclusive_scan(const int* in, int* out, int n) { scan<<<1, 1024>>>(in, out, n); }
