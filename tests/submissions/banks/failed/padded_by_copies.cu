// score: 64
// says: copies of the host within the device
// Copies of the host give three matrices full tiles, and bring the results back.
#include "banks.h"

namespace {

constexpr int kTile = 32;      // elements of each side
constexpr int kBlockRows = 8;  // rows of threads in a block
constexpr int kThreads = 256;  // of a block that joins particles

// A matrix of one array.
template <class T>
struct Matrix {
  T* out;
  __device__ void Store(size_t i, T value) const { out[i] = value; }
};

// A matrix of complex numbers, in two arrays.
struct Parts {
  float* re;
  float* im;
  __device__ void Store(size_t i, float2 value) const {
    re[i] = value.x;
    im[i] = value.y;
  }
};

template <class T, class Result>
__global__ void TransposeTiles(const T* in, Result result, int rows, int cols) {
  // One word of padding holds 4 chars or 2 shorts. An element of 8 bytes pads a row by itself:
  // half a warp accesses 16 of them at once, and 33 * 2 words apart they lie in different banks.
  constexpr int kPadding = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  __shared__ T tile[kTile][kTile + kPadding];

  // Tiles are numbered in x alone, because a grid has at most 65,535 blocks in y.
  const int tiles_across = (cols - 1) / kTile + 1;
  const int first_col = static_cast<int>(blockIdx.x) % tiles_across * kTile;
  const int first_row = static_cast<int>(blockIdx.x) / tiles_across * kTile;
  const int x = static_cast<int>(threadIdx.x);

  for (int y = static_cast<int>(threadIdx.y); y < kTile; y += kBlockRows) {
    if (first_row + y < rows && first_col + x < cols) {
      tile[y][x] = in[static_cast<size_t>(first_row + y) * cols + first_col + x];
    }
  }
  __syncthreads();  // every element is in the tile before any is taken out
  for (int y = static_cast<int>(threadIdx.y); y < kTile; y += kBlockRows) {
    if (first_col + y < cols && first_row + x < rows) {
      result.Store(static_cast<size_t>(first_col + y) * rows + first_row + x, tile[x][y]);
    }
  }
}

// Transposes a padded copy, and copies the result out.
template <class T>
void TransposePadded(const T* in, T* out, int rows, int cols) {
  const size_t r = (rows + 31) / 32 * 32, c = (cols + 31) / 32 * 32, b = sizeof(T);
  T *from, *to;
  cudaMalloc(&from, r * c * b);
  cudaMalloc(&to, r * c * b);
  cudaMemset(from, 0, r * c * b);
  cudaMemcpy2D(from, c * b, in, cols * b, cols * b, rows, cudaMemcpyDeviceToDevice);
  TransposeTiles<<<r / 32 * (c / 32), dim3(kTile, kBlockRows)>>>(
      static_cast<const T*>(from), Matrix<T>{to}, static_cast<int>(r), static_cast<int>(c));
  cudaMemcpy2D(out, rows * b, to, r * b, rows * b, cols, cudaMemcpyDeviceToDevice);
  cudaFree(from);
  cudaFree(to);
}

template <class T, class Result>
void Transpose(const T* in, const Result& result, int rows, int cols) {
  const int tiles = ((rows - 1) / kTile + 1) * ((cols - 1) / kTile + 1);
  TransposeTiles<<<tiles, dim3(kTile, kBlockRows)>>>(in, result, rows, cols);
}

// The threads of a block copy neighbouring words together, whatever structs they belong to.
__device__ void CopyWords(const float* from, float* to, int words) {
  for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) to[i] = from[i];
}

__global__ void JoinParticles(const Point* points, const float* masses, const float* charges,
                              Particle* particles, int n) {
  __shared__ Point points_of_block[kThreads];
  __shared__ Particle particles_of_block[kThreads];
  const int first = static_cast<int>(blockIdx.x) * kThreads;
  const int count = min(kThreads, n - first);
  const int t = static_cast<int>(threadIdx.x);

  CopyWords(&points[first].x, &points_of_block[0].x, 3 * count);
  __syncthreads();
  if (t < count) {
    const Point& point = points_of_block[t];
    particles_of_block[t] = {point.x, point.y, point.z, masses[first + t], charges[first + t]};
  }
  __syncthreads();
  CopyWords(&particles_of_block[0].x, &particles[first].x, 5 * count);
}

}  // namespace

void transpose_chars(const char* in, char* out, int rows, int cols) {
  TransposePadded(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  TransposePadded(in, out, rows, cols);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  TransposePadded(in, out, rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  Transpose(reinterpret_cast<const float2*>(in), Parts{re, im}, rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  JoinParticles<<<(n - 1) / kThreads + 1, kThreads>>>(points, masses, charges, particles, n);
}
