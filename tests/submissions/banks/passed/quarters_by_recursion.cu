// score: 100
// A warp transposes a square in registers by recursion of templates, as in the formula: exchange
// the off-diagonal quarters, then transpose each quarter. A word of particles is chosen among the
// words that five shuffles bring.
#include "banks.h"

namespace recursive {

constexpr unsigned kWarp = 0xffffffffu;

// held[i] of lane c is element (i, c) of a square of kAll x kAll in each group of kAll lanes.
template <int kAll, int kHalf, class T>
__device__ void Quarters(T (&held)[kAll]) {
  if constexpr (kHalf > 0) {
    const bool right = threadIdx.x & kHalf;
#pragma unroll
    for (int i = 0; i < kAll; ++i) {
      if (i & kHalf) continue;
      T& upper = held[i];
      T& lower = held[i + kHalf];
      const T sent = right ? upper : lower;
      const T got = __shfl_xor_sync(kWarp, sent, kHalf);
      (right ? upper : lower) = got;
    }
    Quarters<kAll, kHalf / 2>(held);
  }
}

template <class Word, class T, class Put>
__global__ void __launch_bounds__(64) Squares(const T* in, Put put, int rows, int cols, int tiles) {
  const int tile = blockIdx.x * blockDim.y + threadIdx.y;
  if (tile >= tiles) return;  // the same for the whole warp
  const int across = (cols + 31) / 32;
  const int top = tile / across * 32, left = tile % across * 32;
  const int lane = threadIdx.x;
  Word held[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    held[i] = top + i < rows && left + lane < cols
                  ? static_cast<Word>(in[static_cast<size_t>(top + i) * cols + left + lane])
                  : Word(0);
  }
  Quarters<32, 16>(held);
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (left + i < cols && top + lane < rows) {
      put(static_cast<size_t>(left + i) * rows + top + lane, held[i]);
    }
  }
}

template <class T>
struct As {
  T* out;
  template <class Word>
  __device__ void operator()(size_t i, Word word) const {
    out[i] = static_cast<T>(word);
  }
};

struct AsParts {
  unsigned *re, *im;
  __device__ void operator()(size_t i, unsigned long long word) const {
    re[i] = static_cast<unsigned>(word);
    im[i] = static_cast<unsigned>(word >> 32);
  }
};

template <class Word, class T, class Put>
void Start(const T* in, Put put, int rows, int cols) {
  const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
  Squares<Word><<<(tiles + 1) / 2, dim3(32, 2)>>>(in, put, rows, cols, tiles);
}

// Word w of 32 particles is word w % 5 of particle w / 5. All come from five registers of the warp.
__global__ void Join(const float* points, const float* masses, const float* charges,
                     float* particles, int n) {
  const int lane = threadIdx.x % 32;
  const size_t first = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32 * 32;
  if (first >= n) return;
  const int count = n - first < 32 ? static_cast<int>(n - first) : 32;
  float given[5];
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    given[k] = 32 * k + lane < 3 * count ? points[3 * first + 32 * k + lane] : 0;
  }
  given[3] = lane < count ? masses[first + lane] : 0;
  given[4] = lane < count ? charges[first + lane] : 0;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    const int word = 32 * k + lane;
    const int particle = word / 5, part = word % 5;
    const int place = part < 3 ? 3 * particle + part : particle;
    const int source = part < 3 ? place / 32 : part;
    float value = 0;
#pragma unroll
    for (int s = 0; s < 5; ++s) {
      const float candidate = __shfl_sync(kWarp, given[s], place % 32);
      value = source == s ? candidate : value;
    }
    if (word < 5 * count) particles[5 * first + word] = value;
  }
}

}  // namespace recursive

void transpose_chars(const char* in, char* out, int rows, int cols) {
  recursive::Start<int>(in, recursive::As<char>{out}, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  recursive::Start<int>(in, recursive::As<short>{out}, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  recursive::Start<unsigned long long>(
      reinterpret_cast<const unsigned long long*>(in),
      recursive::As<unsigned long long>{reinterpret_cast<unsigned long long*>(out)}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  recursive::Start<unsigned long long>(
      reinterpret_cast<const unsigned long long*>(in),
      recursive::AsParts{reinterpret_cast<unsigned*>(re), reinterpret_cast<unsigned*>(im)}, rows,
      cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  recursive::Join<<<(n - 1) / 128 + 1, 128>>>(reinterpret_cast<const float*>(points), masses,
                                              charges, reinterpret_cast<float*>(particles), n);
}
