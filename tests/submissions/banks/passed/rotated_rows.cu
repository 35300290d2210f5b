// score: 100
// Tiles have no padding: row r is rotated, by r elements of 8 bytes, or by so many words that the
// rows that begin in one bank are apart: r / 4 words of chars, r / 2 words of shorts. A class hides
// the place behind an operator().
#include "banks.h"

namespace rotated {

template <class T>
class Tile {
 public:
  __device__ T& operator()(int row, int col) {
    constexpr int kPerWord = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    constexpr int kWords = 32 / kPerWord;          // of a row, or elements of 8 bytes
    constexpr int kRowsOfAllBanks = sizeof(T) < 4 ? kPerWord : 1;
    const int word = (col / kPerWord + row / kRowsOfAllBanks) % kWords;
    return elements_[row * 32 + word * kPerWord + col % kPerWord];
  }

 private:
  T elements_[32 * 32];
};

template <class T, int kArrays>
struct Outputs {
  T* arrays[kArrays];
};

template <class T>
__device__ void put(const Outputs<T, 1>& out, size_t i, T value) {
  out.arrays[0][i] = value;
}
__device__ void put(const Outputs<float, 2>& out, size_t i, float2 value) {
  out.arrays[0][i] = value.x;
  out.arrays[1][i] = value.y;
}

template <class T, class Out>
__global__ void __launch_bounds__(512) transpose(const T* in, Out out, int rows, int cols) {
  __shared__ Tile<T> tile;
  const int across = (cols - 1) / 32 + 1;
  const int top = blockIdx.x / across * 32, left = blockIdx.x % across * 32;
  const int lane = threadIdx.x % 32;
  for (int i = threadIdx.x / 32; i < 32; i += 16) {
    if (top + i < rows && left + lane < cols) {
      tile(i, lane) = in[static_cast<size_t>(top + i) * cols + left + lane];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x / 32; i < 32; i += 16) {
    if (left + i < cols && top + lane < rows) {
      put(out, static_cast<size_t>(left + i) * rows + top + lane, tile(lane, i));
    }
  }
}

template <class T, class Out>
void launch(const T* in, const Out& out, int rows, int cols) {
  transpose<<<((rows - 1) / 32 + 1) * ((cols - 1) / 32 + 1), 512>>>(in, out, rows, cols);
}

constexpr int kBlock = 160;

// Words of particles are stored from the last one to the first.
__global__ void join(const float* points, const float* masses, const float* charges, float* out,
                     int n) {
  __shared__ float points_of_block[3 * kBlock];
  __shared__ float particles_of_block[5 * kBlock];
  const int first = blockIdx.x * kBlock;
  const int count = min(kBlock, n - first);
  const int t = threadIdx.x;
  for (int w = t; w < 3 * count; w += kBlock) points_of_block[w] = points[3ul * first + w];
  __syncthreads();
  if (t < count) {
    float* const particle = particles_of_block + 5 * t;
    particle[4] = charges[first + t];
    particle[3] = masses[first + t];
    for (int k = 2; k >= 0; --k) particle[k] = points_of_block[3 * t + k];
  }
  __syncthreads();
  for (int w = 5 * count - 1 - t; w >= 0; w -= kBlock) out[5ul * first + w] = particles_of_block[w];
}

}  // namespace rotated

void transpose_chars(const char* in, char* out, int rows, int cols) {
  rotated::launch(in, rotated::Outputs<char, 1>{{out}}, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  rotated::launch(in, rotated::Outputs<short, 1>{{out}}, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  rotated::launch(in, rotated::Outputs<double, 1>{{out}}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  rotated::launch(reinterpret_cast<const float2*>(in), rotated::Outputs<float, 2>{{re, im}}, rows,
                  cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  rotated::join<<<(n - 1) / rotated::kBlock + 1, rotated::kBlock>>>(
      reinterpret_cast<const float*>(points), masses, charges,
      reinterpret_cast<float*>(particles), n);
}
