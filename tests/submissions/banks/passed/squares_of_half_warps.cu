// score: 100
// Elements of 8 bytes have tiles of 16 x 16, because half a warp accesses 16 of them at once: a
// block has two tiles, one for each half of its warps. Chars and shorts have flat tiles of 32 rows
// and 64 or 32 columns. A lane picks the words of its point from registers of other lanes;
// particles go through shared memory.
#include "banks.h"

namespace {

// A block has two tiles beside each other, and 16 rows of two half warps.
template <class T, class Put>
__global__ void HalfWarps(const T* in, Put put, int rows, int cols) {
  __shared__ T tiles[2][16][17];
  const int across = (cols + 31) / 32;
  const int half = threadIdx.x / 16, x = threadIdx.x % 16, y = threadIdx.y;
  const int top = blockIdx.x / across * 16;
  const int left = blockIdx.x % across * 32 + half * 16;
  if (top + y < rows && left + x < cols) {
    tiles[half][y][x] = in[static_cast<size_t>(top + y) * cols + left + x];
  }
  __syncthreads();
  if (left + y < cols && top + x < rows) {
    put(static_cast<size_t>(left + y) * rows + top + x, tiles[half][x][y]);
  }
}

template <class T, class Put>
void LaunchHalfWarps(const T* in, Put put, int rows, int cols) {
  HalfWarps<<<((rows + 15) / 16) * ((cols + 31) / 32), dim3(32, 16)>>>(in, put, rows, cols);
}

template <class T, int kCols, int kWarps>
__global__ void Flat(const T* in, T* out, int rows, int cols) {
  constexpr int kPitch = kCols + 4 / sizeof(T);
  __shared__ T tile[32 * kPitch];
  const int across = (cols + kCols - 1) / kCols;
  const int top = blockIdx.x / across * 32, left = blockIdx.x % across * kCols;
  const int lane = threadIdx.x;
  for (int task = threadIdx.y; task < kCols; task += kWarps) {  // 32 elements of a row
    const int r = task * 32 / kCols, c = task * 32 % kCols + lane;
    if (top + r < rows && left + c < cols) {
      tile[r * kPitch + c] = in[static_cast<size_t>(top + r) * cols + left + c];
    }
  }
  __syncthreads();
  for (int c = threadIdx.y; c < kCols; c += kWarps) {
    if (left + c < cols && top + lane < rows) {
      out[static_cast<size_t>(left + c) * rows + top + lane] = tile[lane * kPitch + c];
    }
  }
}

template <int kCols, class T>
void LaunchFlat(const T* in, T* out, int rows, int cols) {
  Flat<T, kCols, 6><<<((rows + 31) / 32) * ((cols + kCols - 1) / kCols), dim3(32, 6)>>>(in, out,
                                                                                       rows, cols);
}

constexpr unsigned kAll = 0xffffffff;

__global__ void JoinByLanes(const float* points, const float* masses, const float* charges,
                            float* particles, int n) {
  __shared__ float words[4][5 * 32];
  const int lane = threadIdx.x;
  float* const mine = words[threadIdx.y];
  const int first = (blockIdx.x * 4 + threadIdx.y) * 32;
  const int count = max(0, min(32, n - first));
  const size_t base = 3 * static_cast<size_t>(first);
  const float a = lane < 3 * count ? points[base + lane] : 0;
  const float b = lane + 32 < 3 * count ? points[base + lane + 32] : 0;
  const float c = lane + 64 < 3 * count ? points[base + lane + 64] : 0;
  for (int k = 0; k < 3; ++k) {
    const int word = 3 * lane + k;
    const float of_a = __shfl_sync(kAll, a, word & 31);
    const float of_b = __shfl_sync(kAll, b, word & 31);
    const float of_c = __shfl_sync(kAll, c, word & 31);
    mine[5 * lane + k] = word < 32 ? of_a : (word < 64 ? of_b : of_c);
  }
  if (lane < count) {
    mine[5 * lane + 3] = masses[first + lane];
    mine[5 * lane + 4] = charges[first + lane];
  }
  __syncwarp();
  for (int w = lane; w < 5 * count; w += 32) particles[5 * static_cast<size_t>(first) + w] = mine[w];
}

struct Doubles {
  double* out;
  __device__ void operator()(size_t i, double v) const { out[i] = v; }
};
struct Complexes {
  float *re, *im;
  __device__ void operator()(size_t i, float2 v) const {
    re[i] = v.x;
    im[i] = v.y;
  }
};

}  // namespace

void transpose_chars(const char* in, char* out, int rows, int cols) {
  LaunchFlat<64>(in, out, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  LaunchFlat<32>(in, out, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  LaunchHalfWarps(in, Doubles{out}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  LaunchHalfWarps(reinterpret_cast<const float2*>(in), Complexes{re, im}, rows, cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  JoinByLanes<<<(n + 127) / 128, dim3(32, 4)>>>(reinterpret_cast<const float*>(points), masses,
                                                charges, reinterpret_cast<float*>(particles), n);
}
