// One step of the wave equation on nz planes of n x n cells, with differences of order kOrder. The
// weights are invented: only the accesses matter here. The frame of kOrder / 2 cells stays as it
// is. A block has kBlockX x kBlockY threads, which walk through the planes.

constexpr int kBlockX = 32;
constexpr int kBlockY = 16;

// Returns the weight of the neighbours at distance d.
__device__ __forceinline__ float Weight(int d) { return 0.0625f / d; }

__device__ __forceinline__ float Next(float now, float before, float speed, float sum) {
  return 2 * now - before + speed * sum;
}

template <int kHalo>
__device__ __forceinline__ bool IsInside(int x, int y, int n) {
  return x >= kHalo && y >= kHalo && x < n - kHalo && y < n - kHalo;
}

// Each cell and all of its neighbours come from global memory.
template <int kOrder>
__global__ void wave_global(float* next, const float* curr, const float* prev, const float* vsq,
                            int n, int nz) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
  if (!IsInside<kHalo>(x, y, n)) return;
  const int plane = n * n;
  int cell = kHalo * plane + y * n + x;
#pragma unroll 1
  for (int z = kHalo; z < nz - kHalo; ++z, cell += plane) {
    const float now = curr[cell];
    float sum = 3 * now;
#pragma unroll
    for (int d = 1; d <= kHalo; ++d) {
      sum += Weight(d) * (curr[cell - d] + curr[cell + d] + curr[cell - d * n] +
                          curr[cell + d * n] + curr[cell - d * plane] + curr[cell + d * plane]);
    }
    next[cell] = Next(now, prev[cell], vsq[cell], sum);
  }
}

// A thread keeps the cells above and below its own in registers.
template <int kOrder>
__global__ void wave_column(float* next, const float* curr, const float* prev, const float* vsq,
                            int n, int nz) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
  if (!IsInside<kHalo>(x, y, n)) return;
  const int plane = n * n;
  float column[kOrder + 1];
  int cell = y * n + x;
#pragma unroll
  for (int i = 0; i < kOrder; ++i) column[i + 1] = curr[cell + i * plane];
  cell += kHalo * plane;
#pragma unroll 1
  for (int z = kHalo; z < nz - kHalo; ++z, cell += plane) {
#pragma unroll
    for (int i = 0; i < kOrder; ++i) column[i] = column[i + 1];
    column[kOrder] = curr[cell + kHalo * plane];
    float sum = 3 * column[kHalo];
#pragma unroll
    for (int d = 1; d <= kHalo; ++d) {
      sum += Weight(d) * (curr[cell - d] + curr[cell + d] + curr[cell - d * n] +
                          curr[cell + d * n] + column[kHalo - d] + column[kHalo + d]);
    }
    next[cell] = Next(column[kHalo], prev[cell], vsq[cell], sum);
  }
}

// In addition, a block shares each plane in a tile of shared memory with its halo.
template <int kOrder>
__global__ void wave_tile(float* next, const float* curr, const float* prev, const float* vsq,
                          int n, int nz) {
  constexpr int kHalo = kOrder / 2;
  __shared__ float tile[kBlockY + kOrder][kBlockX + kOrder];
  const int left = blockIdx.x * kBlockX - kHalo, top = blockIdx.y * kBlockY - kHalo;
  const int tx = threadIdx.x + kHalo, ty = threadIdx.y + kHalo;
  const int x = left + tx, y = top + ty;
  const int plane = n * n;
  float column[kOrder + 1];
  int cell = y * n + x;
#pragma unroll
  for (int i = 0; i < kOrder; ++i) column[i + 1] = curr[cell + i * plane];
  cell += kHalo * plane;
#pragma unroll 1
  for (int z = kHalo; z < nz - kHalo; ++z, cell += plane) {
#pragma unroll
    for (int i = 0; i < kOrder; ++i) column[i] = column[i + 1];
    column[kOrder] = curr[cell + kHalo * plane];
    tile[ty][tx] = column[kHalo];
    if (threadIdx.x < kHalo) {
      if (x >= kHalo) tile[ty][tx - kHalo] = curr[cell - kHalo];
      if (x + kBlockX < n) tile[ty][tx + kBlockX] = curr[cell + kBlockX];
    }
    if (threadIdx.y < kHalo) {
      if (y >= kHalo) tile[ty - kHalo][tx] = curr[cell - kHalo * n];
      if (y + kBlockY < n) tile[ty + kBlockY][tx] = curr[cell + kBlockY * n];
    }
    __syncthreads();
    if (IsInside<kHalo>(x, y, n)) {
      float sum = 3 * column[kHalo];
#pragma unroll
      for (int d = 1; d <= kHalo; ++d) {
        sum += Weight(d) * (tile[ty][tx - d] + tile[ty][tx + d] + tile[ty - d][tx] +
                            tile[ty + d][tx] + column[kHalo - d] + column[kHalo + d]);
      }
      next[cell] = Next(column[kHalo], prev[cell], vsq[cell], sum);
    }
    __syncthreads();
  }
}

// Computes each cell of the plane in the middle again and counts those that differ.
template <int kOrder>
__global__ void count_wrong(const float* next, const float* curr, const float* prev,
                            const float* vsq, int n, int nz, unsigned* wrong) {
  constexpr int kHalo = kOrder / 2;
  const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
  if (!IsInside<kHalo>(x, y, n)) return;
  const int plane = n * n, cell = nz / 2 * plane + y * n + x;
  float sum = 3 * curr[cell];
  for (int d = 1; d <= kHalo; ++d) {
    sum += Weight(d) * (curr[cell - d] + curr[cell + d] + curr[cell - d * n] + curr[cell + d * n] +
                        curr[cell - d * plane] + curr[cell + d * plane]);
  }
  const float wanted = Next(curr[cell], prev[cell], vsq[cell], sum);
  if (!(fabsf(next[cell] - wanted) < 1e-3f)) atomicAdd(wrong, 1u);
}
