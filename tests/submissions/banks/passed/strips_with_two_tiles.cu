// score: 100
// A block walks along a strip of four tiles and has two of them: it fills the next one while it
// empties the one before, so that there is one barrier for each tile. cooperative_groups wait and
// number the threads, __launch_bounds__ limits the registers.
#include <cooperative_groups.h>

#include "banks.h"

namespace cg = cooperative_groups;

constexpr int kEdge = 32, kStrip = 4;

template <class T>
struct Padded {
  static constexpr int kPad = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  T at[kEdge][kEdge + kPad];
};

template <class T, class Sink>
__global__ void __launch_bounds__(kEdge * 8, 4)
    along_a_strip(const T* in, Sink sink, int rows, int cols) {
  __shared__ Padded<T> tiles[2];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<kEdge>(block);
  const int lane = warp.thread_rank();
  const int strips = (cols + kStrip * kEdge - 1) / (kStrip * kEdge);
  const int top = block.group_index().x / strips * kEdge;
  const int begin = block.group_index().x % strips * kStrip * kEdge;

  const auto fill = [&](int step) {
    const int left = begin + step * kEdge;
    for (int r = warp.meta_group_rank(); r < kEdge; r += warp.meta_group_size()) {
      if (top + r < rows && left + lane < cols) {
        tiles[step & 1].at[r][lane] = in[static_cast<size_t>(top + r) * cols + left + lane];
      }
    }
  };
  fill(0);
  for (int step = 0; step < kStrip; ++step) {
    block.sync();
    if (step + 1 < kStrip) fill(step + 1);
    const int left = begin + step * kEdge;
    for (int c = warp.meta_group_rank(); c < kEdge; c += warp.meta_group_size()) {
      if (left + c < cols && top + lane < rows) {
        sink(static_cast<size_t>(left + c) * rows + top + lane, tiles[step & 1].at[lane][c]);
      }
    }
  }
}

template <class T>
struct Sink {
  T* to;
  __device__ __forceinline__ void operator()(size_t i, const T& v) const { to[i] = v; }
};
struct SplitSink {
  float* re;
  float* im;
  __device__ __forceinline__ void operator()(size_t i, const float2& v) const {
    re[i] = v.x, im[i] = v.y;
  }
};

template <class T, class S>
static void go(const T* in, S sink, int rows, int cols) {
  const int strips = (cols + kStrip * kEdge - 1) / (kStrip * kEdge);
  along_a_strip<T, S><<<strips * ((rows + kEdge - 1) / kEdge), kEdge * 8>>>(in, sink, rows, cols);
}

// Two parts of 128 particles take turns in the same way.
__global__ void __launch_bounds__(128)
    join_in_turns(const float* points, const float* masses, const float* charges, float* out,
                  int n) {
  __shared__ float from[2][3 * 128], to[2][5 * 128];
  const auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  const int begin = block.group_index().x * 256;
  const auto count = [&](int part) { return min(128, max(0, n - begin - part * 128)); };
  for (int part = 0; part < 2; ++part) {
    const size_t first = begin + part * 128;
    for (int i = t; i < 3 * count(part); i += 128) from[part][i] = points[3 * first + i];
  }
  block.sync();
  for (int part = 0; part < 2; ++part) {
    const size_t first = begin + part * 128;
    if (t < count(part)) {
      for (int k = 0; k < 5; ++k) {
        to[part][5 * t + k] =
            k < 3 ? from[part][3 * t + k] : (k == 3 ? masses : charges)[first + t];
      }
    }
    block.sync();
    for (int i = t; i < 5 * count(part); i += 128) out[5 * first + i] = to[part][i];
  }
}

void transpose_chars(const char* in, char* out, int rows, int cols) {
  go(in, Sink<char>{out}, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  go(in, Sink<short>{out}, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  go(in, Sink<double>{out}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  go(reinterpret_cast<const float2*>(in), SplitSink{re, im}, rows, cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join_in_turns<<<(n + 255) / 256, 128>>>(reinterpret_cast<const float*>(points), masses, charges,
                                          reinterpret_cast<float*>(particles), n);
}
