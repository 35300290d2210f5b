// score: 100
// Tiles are filled by cp.async of 4 or 8 bytes: four chars, two shorts, a double or a complex
// number at once, where the rows of the matrix allow it. Tiles of chars have 32 x 128 elements,
// those of shorts 32 x 64. Masses and charges are copied to their places in the particles.
#include <cuda_pipeline.h>

#include "banks.h"

constexpr int kRows = 32;

// A tile of kRows rows. A copy has sizeof(Piece) bytes, and a row as many copies as a warp has lanes.
template <class T, class Piece>
struct Shape {
  static constexpr int kPerPiece = sizeof(Piece) / sizeof(T);
  static constexpr int kCols = 32 * kPerPiece;
  static constexpr int kPitch = kCols + kPerPiece;
};

template <class T, class Piece, class Store>
__global__ void __launch_bounds__(256) move(const T* in, Store store, int rows, int cols) {
  using S = Shape<T, Piece>;
  __shared__ __align__(8) T tile[kRows * S::kPitch];
  const int across = (cols + S::kCols - 1) / S::kCols;
  const int top = blockIdx.x / across * kRows;
  const int left = blockIdx.x % across * S::kCols;
  const int lane = threadIdx.x, warp = threadIdx.y;
  const bool whole = cols % S::kPerPiece == 0;
  for (int r = warp; r < kRows && top + r < rows; r += 8) {
    const T* const from = in + static_cast<size_t>(top + r) * cols + left;
    if (whole) {
      const int c = lane * S::kPerPiece;
      if (left + c < cols) {
        __pipeline_memcpy_async(tile + r * S::kPitch + c, from + c, sizeof(Piece));
      }
    } else {
      for (int c = lane; c < S::kCols && left + c < cols; c += 32) {
        tile[r * S::kPitch + c] = from[c];
      }
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int c = warp; c < S::kCols && left + c < cols; c += 8) {
    if (top + lane < rows) {
      store(static_cast<size_t>(left + c) * rows + top + lane, tile[lane * S::kPitch + c]);
    }
  }
}

template <class T, class Piece, class Store>
void launch(const T* in, Store store, int rows, int cols) {
  const int across = (cols + Shape<T, Piece>::kCols - 1) / Shape<T, Piece>::kCols;
  move<T, Piece><<<across * ((rows + kRows - 1) / kRows), dim3(32, 8)>>>(in, store, rows, cols);
}

template <class T>
struct To {
  T* out;
  __device__ void operator()(size_t at, const T& value) { out[at] = value; }
};

struct ToParts {
  float* re;
  float* im;
  __device__ void operator()(size_t at, const float2& value) {
    re[at] = value.x;
    im[at] = value.y;
  }
};

__global__ void join(const float* points, const float* masses, const float* charges, float* out,
                     int n) {
  __shared__ float xyz[3 * 128];
  __shared__ float whole[5 * 128];
  const int first = blockIdx.x * 128, t = threadIdx.x;
  const int count = min(128, n - first);
  for (int i = t; i < 3 * count; i += 128) {
    __pipeline_memcpy_async(xyz + i, points + 3 * static_cast<size_t>(first) + i, 4);
  }
  if (t < count) {
    __pipeline_memcpy_async(whole + 5 * t + 3, masses + first + t, 4);
    __pipeline_memcpy_async(whole + 5 * t + 4, charges + first + t, 4);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (t < count) {
    whole[5 * t] = xyz[3 * t];
    whole[5 * t + 1] = xyz[3 * t + 1];
    whole[5 * t + 2] = xyz[3 * t + 2];
  }
  __syncthreads();
  for (int i = t; i < 5 * count; i += 128) out[5 * static_cast<size_t>(first) + i] = whole[i];
}

void transpose_chars(const char* in, char* out, int rows, int cols) {
  launch<char, int>(in, To<char>{out}, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  launch<short, int>(in, To<short>{out}, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  launch<double, double>(in, To<double>{out}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  launch<float2, float2>(reinterpret_cast<const float2*>(in), ToParts{re, im}, rows, cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join<<<(n - 1) / 128 + 1, 128>>>(reinterpret_cast<const float*>(points), masses, charges,
                                   reinterpret_cast<float*>(particles), n);
}
