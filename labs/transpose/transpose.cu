// These are the four transposes of a lecture on memory. Each removes the bottleneck of the one
// before it. Matrices have n x n floats, with n a multiple of 32; a block of 32 x 8 threads moves a
// tile of 32 x 32 elements.

namespace {

constexpr int kTile = 32;
constexpr int kBlockRows = 8;

// Transposes through shared memory, so that neighbouring threads load and store neighbouring
// addresses. Each row of the tile has kPadding unused elements; the loops are unrolled kUnroll
// times.
template <int kPadding, int kUnroll>
__device__ __forceinline__ void TransposeTile(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + kPadding];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
#pragma unroll kUnroll
  for (int i = 0; i < kTile; i += kBlockRows) {
    tile[threadIdx.y + i][threadIdx.x] = in[static_cast<long>(row + i) * n + col];
  }
  __syncthreads();
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll kUnroll
  for (int i = 0; i < kTile; i += kBlockRows) {
    out[static_cast<long>(out_row + i) * n + out_col] = tile[threadIdx.x][threadIdx.y + i];
  }
}

}  // namespace

// Neighbouring threads read neighbouring elements, but write elements that are a row apart: every
// store of a warp writes to 32 sectors where 4 would suffice.
extern "C" __global__ void transpose_naive(const float* in, float* out, int n) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
#pragma unroll 1
  for (int i = 0; i < kTile; i += kBlockRows) {
    out[static_cast<long>(col) * n + row + i] = in[static_cast<long>(row + i) * n + col];
  }
}

// The accesses are coalesced, but the 32 elements of a tile's column lie in one bank, so a warp
// reads them in 32 passes.
extern "C" __global__ void transpose_shared(const float* in, float* out, int n) {
  TransposeTile<0, 1>(in, out, n);
}

// The tile has an unused column, so that the elements of a column lie in 32 different banks.
extern "C" __global__ void transpose_padded(const float* in, float* out, int n) {
  TransposeTile<1, 1>(in, out, n);
}

// The loops are unrolled, so that the loads of a thread do not wait for each other.
extern "C" __global__ void transpose_unrolled(const float* in, float* out, int n) {
  TransposeTile<1, kTile / kBlockRows>(in, out, n);
}

// Counts the elements of `out` that are not the transpose of the numbers 0, 1, 2 ...
extern "C" __global__ void count_wrong(const unsigned* out, int n, unsigned* wrong) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  for (int i = threadIdx.y; i < kTile; i += kBlockRows) {
    const int row = blockIdx.y * kTile + i;
    if (out[static_cast<long>(row) * n + col] != static_cast<unsigned>(col * n + row)) {
      atomicAdd(wrong, 1u);
    }
  }
}
