// A stencil in three dimensions, as in the lecture: a thread walks through the planes and keeps its
// column of kOrder + 1 cells in registers. Neighbours within the plane come from global memory. The
// weights are invented: only registers and accesses matter here.

constexpr int kBlockX = 32;

// Returns the weight of the neighbours at distance d.
__device__ __forceinline__ float Weight(int d) { return 1.0f / d; }

// The grid has nz planes of n x n cells. A block of kBlockX x blockDim.y threads computes a column
// of cells; the frame of kOrder / 2 cells stays as it is.
template <int kOrder>
__global__ void stencil(const float* in, float* out, int n, int nz) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  const int plane = n * n;
  float column[kOrder + 1];
  const float* at = in + y * n + x;
#pragma unroll
  for (int i = 0; i < kOrder; ++i) column[i + 1] = at[i * plane];
  at += kHalo * plane;
  for (int z = kHalo; z < nz - kHalo; ++z, at += plane) {
#pragma unroll
    for (int i = 0; i < kOrder; ++i) column[i] = column[i + 1];
    column[kOrder] = at[kHalo * plane];
    float sum = column[kHalo];
#pragma unroll
    for (int d = 1; d <= kHalo; ++d) {
      sum += Weight(d) *
             (at[-d] + at[d] + at[-d * n] + at[d * n] + column[kHalo - d] + column[kHalo + d]);
    }
    out[z * plane + y * n + x] = sum;
  }
}

// Computes each cell of the plane in the middle again and counts those that differ.
template <int kOrder>
__global__ void count_wrong(const float* in, const float* out, int n, int nz, unsigned* wrong) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  const int plane = n * n, cell = nz / 2 * plane + y * n + x;
  float sum = in[cell];
  for (int d = 1; d <= kHalo; ++d) {
    const float around = in[cell - d] + in[cell + d] + in[cell - d * n] + in[cell + d * n] +
                         in[cell - d * plane] + in[cell + d * plane];
    sum += around / d;
  }
  if (fabsf(out[cell] - sum) > 1e-4f * fabsf(sum)) atomicAdd(wrong, 1u);
}
