// The four transposes that a lecture on memory goes through, for `warpcheck lab transpose`: each
// removes what holds the one before it back. Matrices of n x n floats, n a multiple of 32; blocks of
// 32 x 8 threads, which move a tile of 32 x 32 elements.

namespace {

constexpr int kTile = 32;
constexpr int kBlockRows = 8;

// Through shared memory, so that loads and stores both touch neighbouring addresses in neighbouring
// threads. kPadding: unused elements a row of the tile. kUnroll: how often the loops are unrolled.
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

// Neighbouring threads read neighbouring elements, but write elements that lie a row apart: every
// store of a warp touches 32 sectors where 4 would do.
extern "C" __global__ void transpose_naive(const float* in, float* out, int n) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
#pragma unroll 1
  for (int i = 0; i < kTile; i += kBlockRows) {
    out[static_cast<long>(col) * n + row + i] = in[static_cast<long>(row + i) * n + col];
  }
}

// Coalesced. But the 32 elements of a tile's column lie in one bank: a warp that reads them waits
// 32 times.
extern "C" __global__ void transpose_shared(const float* in, float* out, int n) {
  TransposeTile<0, 1>(in, out, n);
}

// One unused column: the elements of a column lie in 32 different banks.
extern "C" __global__ void transpose_padded(const float* in, float* out, int n) {
  TransposeTile<1, 1>(in, out, n);
}

// Unrolled: the loads of a thread do not wait for each other.
extern "C" __global__ void transpose_unrolled(const float* in, float* out, int n) {
  TransposeTile<1, kTile / kBlockRows>(in, out, n);
}
