// One step of heat diffusion on n x n floats, with differences of order 2, 4 or 8. The weights are
// invented: only the accesses matter here. The border stays as it is.

// Returns the weight of the neighbours at distance d.
__device__ __forceinline__ float Weight(int d) { return 0.125f / d; }

template <int kOrder>
__global__ void heat_global(const float* in, float* out, int n) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  const float* const at = in + y * n + x;
  float sum = at[0];
#pragma unroll
  for (int d = 1; d <= kHalo; ++d) {
    sum += Weight(d) * (at[-d] + at[d] + at[-d * n] + at[d * n] - 4 * at[0]);
  }
  out[y * n + x] = sum;
}

// A block loads its elements and a halo of kOrder / 2 around them into shared memory first.
template <int kOrder>
__global__ void heat_shared(const float* in, float* out, int n) {
  constexpr int kHalo = kOrder / 2;
  extern __shared__ float tile[];
  const int width = blockDim.x + 2 * kHalo, height = blockDim.y + 2 * kHalo;
  const int left = blockIdx.x * blockDim.x - kHalo, top = blockIdx.y * blockDim.y - kHalo;
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      const int col = left + x, row = top + y;
      const bool inside = col >= 0 && row >= 0 && col < n && row < n;
      tile[y * width + x] = inside ? in[row * n + col] : 0;
    }
  }
  __syncthreads();
  const int x = left + kHalo + threadIdx.x, y = top + kHalo + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  const float* const at = tile + (threadIdx.y + kHalo) * width + threadIdx.x + kHalo;
  float sum = at[0];
#pragma unroll
  for (int d = 1; d <= kHalo; ++d) {
    sum += Weight(d) * (at[-d] + at[d] + at[-d * width] + at[d * width] - 4 * at[0]);
  }
  out[y * n + x] = sum;
}

// Computes each element again and counts those that differ.
template <int kOrder>
__global__ void count_wrong(const float* in, const float* out, int n, unsigned* wrong) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  float sum = in[y * n + x];
  for (int d = 1; d <= kHalo; ++d) {
    const float around =
        in[y * n + x - d] + in[y * n + x + d] + in[(y - d) * n + x] + in[(y + d) * n + x];
    sum += Weight(d) * (around - 4 * in[y * n + x]);
  }
  if (!(fabsf(sum - out[y * n + x]) < 1e-4f)) atomicAdd(wrong, 1u);
}
