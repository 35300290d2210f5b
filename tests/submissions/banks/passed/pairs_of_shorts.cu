// score: 100
// Shorts travel in pairs: a thread loads two neighbours from each of two rows, exchanges the halves
// by prmt, and keeps the pairs of both columns in a tile of words, whose columns become rows. Odd
// sizes go one by one. Words of doubles and complex numbers have two tiles. Particles go by vectors
// of 16 bytes, 128 at a time.
#include "banks.h"

namespace {

constexpr int kSide = 32;

// ---- shorts, if both sizes are even: a tile has 32 x 32 squares of 2 x 2.
__global__ void PairsOfShorts(const unsigned* in, unsigned* out, int row_pairs, int col_pairs) {
  __shared__ unsigned left[kSide][kSide + 1], right[kSide][kSide + 1];
  const int across = (col_pairs - 1) / kSide + 1;
  const int top = blockIdx.x / across * kSide, first = blockIdx.x % across * kSide;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (top + y < row_pairs && first + x < col_pairs) {
      const size_t at = 2 * static_cast<size_t>(top + y) * col_pairs + first + x;
      const unsigned upper = in[at], lower = in[at + col_pairs];
      left[y][x] = __byte_perm(upper, lower, 0x5410);   // the left column: both first halves
      right[y][x] = __byte_perm(upper, lower, 0x7632);  // the right column
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (first + y < col_pairs && top + x < row_pairs) {
      const size_t at = 2 * static_cast<size_t>(first + y) * row_pairs + top + x;
      out[at] = left[x][y];
      out[at + row_pairs] = right[x][y];
    }
  }
}

// ---- anything else: single elements.
template <class T>
__global__ void Singles(const T* in, T* out, int rows, int cols) {
  constexpr int kPad = 4 / sizeof(T);
  __shared__ T tile[kSide][kSide + kPad];
  const int across = (cols - 1) / kSide + 1;
  const int top = blockIdx.x / across * kSide, first = blockIdx.x % across * kSide;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kSide && top + y < rows; y += blockDim.y) {
    if (first + x < cols) tile[y][x] = in[static_cast<size_t>(top + y) * cols + first + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide && first + y < cols; y += blockDim.y) {
    if (top + x < rows) out[static_cast<size_t>(first + y) * rows + top + x] = tile[x][y];
  }
}

// ---- eight bytes: two words, in two tiles.
template <bool kSplit>
__global__ void TwoWords(const uint2* in, unsigned* one, unsigned* two, int rows, int cols) {
  __shared__ unsigned low[kSide][kSide + 1], high[kSide][kSide + 1];
  const int across = (cols - 1) / kSide + 1;
  const int top = blockIdx.x / across * kSide, first = blockIdx.x % across * kSide;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (top + y < rows && first + x < cols) {
      const uint2 both = __ldg(in + static_cast<size_t>(top + y) * cols + first + x);
      low[y][x] = both.x;
      high[y][x] = both.y;
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (first + y < cols && top + x < rows) {
      const size_t at = static_cast<size_t>(first + y) * rows + top + x;
      if constexpr (kSplit) {
        one[at] = low[x][y];
        two[at] = high[x][y];
      } else {
        __stcg(reinterpret_cast<uint2*>(one) + at, make_uint2(low[x][y], high[x][y]));
      }
    }
  }
}

int Tiles(int rows, int cols) { return ((rows - 1) / kSide + 1) * ((cols - 1) / kSide + 1); }

constexpr int kParticles = 128;

__global__ void __launch_bounds__(kParticles)
    Join(const float* points, const float* masses, const float* charges, float* particles, int n) {
  __shared__ float4 three[3 * kParticles / 4];
  __shared__ float4 five[5 * kParticles / 4];
  float* const in = reinterpret_cast<float*>(three);
  float* const out = reinterpret_cast<float*>(five);
  const int t = threadIdx.x;
  const size_t first = static_cast<size_t>(blockIdx.x) * kParticles;
  const bool full = first + kParticles <= n;
  const int count = full ? kParticles : static_cast<int>(n - first);
  if (full) {
    if (t < 3 * kParticles / 4) three[t] = reinterpret_cast<const float4*>(points + 3 * first)[t];
  } else {
    for (int w = t; w < 3 * count; w += kParticles) in[w] = points[3 * first + w];
  }
  __syncthreads();
  if (t < count) {
    out[5 * t + 0] = in[3 * t + 0];
    out[5 * t + 1] = in[3 * t + 1];
    out[5 * t + 2] = in[3 * t + 2];
    out[5 * t + 3] = masses[first + t];
    out[5 * t + 4] = charges[first + t];
  }
  __syncthreads();
  if (full) {
    for (int v = t; v < 5 * kParticles / 4; v += kParticles) {
      __stcg(reinterpret_cast<float4*>(particles + 5 * first) + v, five[v]);
    }
  } else {
    for (int w = t; w < 5 * count; w += kParticles) particles[5 * first + w] = out[w];
  }
}

}  // namespace

void transpose_chars(const char* in, char* out, int rows, int cols) {
  Singles<<<Tiles(rows, cols), dim3(32, 8)>>>(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  if (rows % 2 == 0 && cols % 2 == 0) {
    PairsOfShorts<<<Tiles(rows / 2, cols / 2), dim3(32, 8)>>>(
        reinterpret_cast<const unsigned*>(in), reinterpret_cast<unsigned*>(out), rows / 2,
        cols / 2);
  } else {
    Singles<<<Tiles(rows, cols), dim3(32, 8)>>>(in, out, rows, cols);
  }
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  TwoWords<false><<<Tiles(rows, cols), dim3(32, 4)>>>(
      reinterpret_cast<const uint2*>(in), reinterpret_cast<unsigned*>(out), nullptr, rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  TwoWords<true><<<Tiles(rows, cols), dim3(32, 4)>>>(
      reinterpret_cast<const uint2*>(in), reinterpret_cast<unsigned*>(re),
      reinterpret_cast<unsigned*>(im), rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  Join<<<(n - 1) / kParticles + 1, kParticles>>>(reinterpret_cast<const float*>(points), masses,
                                                 charges, reinterpret_cast<float*>(particles), n);
}
