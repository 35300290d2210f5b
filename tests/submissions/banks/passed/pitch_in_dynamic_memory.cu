// score: 100
// Tiles of 64 x 64 elements lie in dynamic shared memory. The host computes their pitch in words,
// which is odd. Complex numbers are copied word by word, and the halves of doubles have a tile
// each.
#include "banks.h"

constexpr int kTile = 64;
constexpr int kRows = 4;

extern __shared__ int memory[];

template <class T>
__global__ void narrow_tiles(const T* in, T* out, int rows, int cols, int pitch) {
  T* const tile = reinterpret_cast<T*>(memory);
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < min(kTile, rows - top); y += kRows) {
    if (left + threadIdx.x < cols) {
      tile[y * pitch + threadIdx.x] = in[(top + y) * cols + left + threadIdx.x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < min(kTile, cols - left); y += kRows) {
    if (top + threadIdx.x < rows) {
      out[(left + y) * rows + top + threadIdx.x] = tile[threadIdx.x * pitch + y];
    }
  }
}

__global__ void double_tiles(const double* in, double* out, int rows, int cols, int pitch) {
  int* const low = memory;
  int* const high = memory + kTile * pitch;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < min(kTile, rows - top); y += kRows) {
    if (left + threadIdx.x < cols) {
      const double value = in[(top + y) * cols + left + threadIdx.x];
      low[y * pitch + threadIdx.x] = __double2loint(value);
      high[y * pitch + threadIdx.x] = __double2hiint(value);
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < min(kTile, cols - left); y += kRows) {
    if (top + threadIdx.x < rows) {
      const int place = threadIdx.x * pitch + y;
      out[(left + y) * rows + top + threadIdx.x] = __hiloint2double(high[place], low[place]);
    }
  }
}

__global__ void complex_tiles(const int* in, int* re, int* im, int rows, int cols, int pitch) {
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  const int words = 2 * min(kTile, cols - left);
  for (int y = threadIdx.y; y < min(kTile, rows - top); y += kRows) {
    for (int word = threadIdx.x; word < words; word += kTile) {
      memory[y * pitch + word] = in[2 * ((top + y) * cols + left) + word];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < min(kTile, cols - left); y += kRows) {
    if (top + threadIdx.x < rows) {
      const int place = (left + y) * rows + top + threadIdx.x;
      re[place] = memory[threadIdx.x * pitch + 2 * y];
      im[place] = memory[threadIdx.x * pitch + 2 * y + 1];
    }
  }
}

__global__ void particle_blocks(const float* points, const float* masses, const float* charges,
                                float* particles, int n) {
  float* const of_points = reinterpret_cast<float*>(memory);
  float* const of_particles = of_points + 3 * blockDim.x;
  const int first = blockIdx.x * blockDim.x;
  const int count = min(static_cast<int>(blockDim.x), n - first);
  const int t = threadIdx.x;
  for (int i = t; i < 3 * count; i += blockDim.x) of_points[i] = points[3 * first + i];
  __syncthreads();
  if (t < count) {
    for (int k = 0; k < 3; ++k) of_particles[5 * t + k] = of_points[3 * t + k];
    of_particles[5 * t + 3] = masses[first + t];
    of_particles[5 * t + 4] = charges[first + t];
  }
  __syncthreads();
  for (int i = t; i < 5 * count; i += blockDim.x) particles[5 * first + i] = of_particles[i];
}

// Returns the least odd number of words that hold a row of the tile.
int OddWords(int bytes) { return (kTile * bytes + 3) / 4 | 1; }

dim3 GridOf(int rows, int cols) { return dim3((cols - 1) / kTile + 1, (rows - 1) / kTile + 1); }

void transpose_chars(const char* in, char* out, int rows, int cols) {
  const int words = OddWords(1);
  narrow_tiles<<<GridOf(rows, cols), dim3(kTile, kRows), 4 * kTile * words>>>(in, out, rows, cols,
                                                                              4 * words);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  const int words = OddWords(2);
  narrow_tiles<<<GridOf(rows, cols), dim3(kTile, kRows), 4 * kTile * words>>>(in, out, rows, cols,
                                                                              2 * words);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  const int words = OddWords(4);  // of a half
  double_tiles<<<GridOf(rows, cols), dim3(kTile, kRows), 8 * kTile * words>>>(in, out, rows, cols,
                                                                              words);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  const int words = OddWords(8);
  complex_tiles<<<GridOf(rows, cols), dim3(kTile, kRows), 4 * kTile * words>>>(
      reinterpret_cast<const int*>(in), reinterpret_cast<int*>(re), reinterpret_cast<int*>(im),
      rows, cols, words);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  particle_blocks<<<(n + 63) / 64, 64, 8 * 64 * sizeof(float)>>>(&points->x, masses, charges,
                                                                 &particles->x, n);
}
