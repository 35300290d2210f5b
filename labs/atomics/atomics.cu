// Three histograms of n numbers. With few bins, many lanes of a warp add to one bin at once.

// The bin of number i; fewer bins mean more lanes with the same bin.
__device__ __forceinline__ unsigned BinOf(unsigned number, int bins) {
  return (number ^ (number >> 7)) % bins;
}

// Every number is an atomic addition in global memory.
extern "C" __global__ void add_global(const unsigned* in, unsigned* out, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[BinOf(in[i], bins)], 1u);
}

// A block counts in shared memory, and adds its counts to global memory at the end.
extern "C" __global__ void add_shared(const unsigned* in, unsigned* out, int n, int bins) {
  extern __shared__ unsigned counts[];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[BinOf(in[i], bins)], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] != 0) atomicAdd(&out[bin], counts[bin]);
  }
}

// The lanes with the same bin elect one of them, which adds for all.
extern "C" __global__ void add_by_warp(const unsigned* in, unsigned* out, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned bin = BinOf(in[i], bins);
  const unsigned same = __match_any_sync(__activemask(), bin);
  const unsigned lane = threadIdx.x % 32;
  if (lane == __ffs(same) - 1) atomicAdd(&out[bin], static_cast<unsigned>(__popc(same)));
}

// Compares the sum of all bins with n, and looks for numbers whose bin is empty.
extern "C" __global__ void count_wrong(const unsigned* in, const unsigned* out, int n, int bins,
                                       unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    unsigned sum = 0;
    for (int bin = 0; bin < bins; ++bin) sum += out[bin];
    if (sum != n) atomicAdd(wrong, 1u);
  }
  if (i < n && out[BinOf(in[i], bins)] == 0) atomicAdd(wrong, 1u);
}
