// Three products of n x n matrices of floats. A block has 16 x 16 threads, and n is a multiple
// of 64.

constexpr int kTile = 16;

// Each thread reads a row and a column from global memory.
extern "C" __global__ void naive(const float* a, const float* b, float* c, int n) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// A block keeps tiles of both matrices in shared memory. kUnroll steps of a tile are unrolled.
template <int kUnroll>
__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int first = 0; first < n; first += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll kUnroll
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// Each thread computes 4 elements of a column, so that an element of b is read once for all four.
extern "C" __global__ void four_each(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[4 * kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * 4 * kTile + threadIdx.y;
  float sums[4] = {};
#pragma unroll 1
  for (int first = 0; first < n; first += kTile) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      tile_a[threadIdx.y + j * kTile][threadIdx.x] = a[(row + j * kTile) * n + first + threadIdx.x];
    }
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      const float factor = tile_b[k][threadIdx.x];
#pragma unroll
      for (int j = 0; j < 4; ++j) sums[j] += tile_a[threadIdx.y + j * kTile][k] * factor;
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) c[(row + j * kTile) * n + col] = sums[j];
}

// Computes 64 elements of each row again and counts those that differ. The elements are whole
// numbers of at most 2^24, so that the order of the sum does not matter.
extern "C" __global__ void count_wrong(const float* a, const float* b, const float* c, int n,
                                       unsigned* wrong) {
  const int row = blockIdx.x;
  const int col = (threadIdx.x * (n / 64) + row) % n;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  if (c[row * n + col] != sum) atomicAdd(wrong, 1u);
}
