// score: 85
// says: let many blocks share the work
// The grid has a block for 1024 numbers, but the first warp walks along the whole array.
#include "scan.h"

__global__ void scan(const int* in, int* out, int n) {
  if (blockIdx.x != 0 || threadIdx.x >= 32) return;
  const int lane = threadIdx.x;
  int before = 0;
  for (int first = 0; first < n; first += 32) {
    const int i = first + lane;
    const int own = i < n ? in[i] : 0;
    int sum = own;
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, sum, d);
      if (lane >= d) sum += left;
    }
    if (i < n) out[i] = before + sum - own;
    before += __shfl_sync(0xffffffff, sum, 31);
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  scan<<<(n + 1023) / 1024, 1024>>>(in, out, n);
}
