// score: 40
// says: let many blocks share the work
// The grids have a block for each tile, but the first block goes through all tiles.
#include "banks.h"

constexpr int kTile = 32;
constexpr int kThreads = 256;

template <class T>
__global__ void transpose_tiles(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + (sizeof(T) < 4 ? 4 / sizeof(T) : 1)];
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int top = 0; top < rows; top += kTile) {
    for (int left = 0; left < cols; left += kTile) {
      if (top + y < rows && left + x < cols) tile[y][x] = in[(top + y) * cols + left + x];
      __syncthreads();
      if (left + y < cols && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
      __syncthreads();
    }
  }
}

__global__ void split_tiles(const float2* in, float* re, float* im, int rows, int cols) {
  __shared__ float2 tile[kTile][kTile + 1];
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int top = 0; top < rows; top += kTile) {
    for (int left = 0; left < cols; left += kTile) {
      if (top + y < rows && left + x < cols) tile[y][x] = in[(top + y) * cols + left + x];
      __syncthreads();
      if (left + y < cols && top + x < rows) {
        const float2 number = tile[x][y];
        re[(left + y) * rows + top + x] = number.x;
        im[(left + y) * rows + top + x] = number.y;
      }
      __syncthreads();
    }
  }
}

__global__ void join(const float* points, const float* masses, const float* charges,
                     float* particles, int n) {
  __shared__ float of_points[3 * kThreads];
  __shared__ float of_particles[5 * kThreads];
  if (blockIdx.x != 0) return;
  const int t = threadIdx.x;
  for (int first = 0; first < n; first += kThreads) {
    const int count = min(kThreads, n - first);
    for (int i = t; i < 3 * count; i += kThreads) of_points[i] = points[3 * first + i];
    __syncthreads();
    if (t < count) {
      for (int i = 0; i < 3; ++i) of_particles[5 * t + i] = of_points[3 * t + i];
      of_particles[5 * t + 3] = masses[first + t];
      of_particles[5 * t + 4] = charges[first + t];
    }
    __syncthreads();
    for (int i = t; i < 5 * count; i += kThreads) particles[5 * first + i] = of_particles[i];
    __syncthreads();
  }
}

dim3 grid_for(int rows, int cols) {
  return dim3((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
}

void transpose_chars(const char* in, char* out, int rows, int cols) {
  transpose_tiles<<<grid_for(rows, cols), dim3(kTile, kTile)>>>(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  transpose_tiles<<<grid_for(rows, cols), dim3(kTile, kTile)>>>(in, out, rows, cols);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  transpose_tiles<<<grid_for(rows, cols), dim3(kTile, kTile)>>>(in, out, rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  split_tiles<<<grid_for(rows, cols), dim3(kTile, kTile)>>>((const float2*)in, re, im, rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join<<<(n + kThreads - 1) / kThreads, kThreads>>>((const float*)points, masses, charges,
                                                    (float*)particles, n);
}
