// score: 100
// Few blocks move one tile after the other, and each tile has elements of the matrix.
#include "banks.h"

// The elements of a row, with one word of padding.
template <class Kept>
constexpr int kPitch = 32 + (sizeof(Kept) < 4 ? 4 / sizeof(Kept) : 1);

// Each block moves the tiles of one row of tiles.
template <class T, class Kept>
__global__ void transpose_walking(const T* in, T* out, int rows, int cols) {
  __shared__ Kept tile[32][kPitch<Kept>];
  const int first_row = blockIdx.x * 32;
  for (int first_col = 0; first_col < cols; first_col += 32) {
    const int col = first_col + threadIdx.x;
    for (int i = threadIdx.y; i < 32; i += 8) {
      if (first_row + i < rows && col < cols) {
        tile[i][threadIdx.x] = in[(first_row + i) * cols + col];
      }
    }
    __syncthreads();
    const int out_col = first_row + threadIdx.x;
    for (int i = threadIdx.y; i < 32; i += 8) {
      if (first_col + i < cols && out_col < rows) {
        out[(first_col + i) * rows + out_col] = tile[threadIdx.x][i];
      }
    }
    __syncthreads();
  }
}

template <class T, int kPitch>
__global__ void transpose_tile(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[32][kPitch];
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (row + i < rows && col < cols) {
      tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
    }
  }
  __syncthreads();
  const int out_col = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (out_row + i < cols && out_col < rows) {
      out[(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

__global__ void split_tile(const float2* in, float* re, float* im, int rows, int cols) {
  __shared__ float re_tile[32][33];
  __shared__ float im_tile[32][33];
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (row + i < rows && col < cols) {
      const float2 value = in[(row + i) * cols + col];
      re_tile[threadIdx.y + i][threadIdx.x] = value.x;
      im_tile[threadIdx.y + i][threadIdx.x] = value.y;
    }
  }
  __syncthreads();
  const int out_col = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (out_row + i < cols && out_col < rows) {
      re[(out_row + i) * rows + out_col] = re_tile[threadIdx.x][threadIdx.y + i];
      im[(out_row + i) * rows + out_col] = im_tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

__global__ void join_block(const Point* points, const float* masses, const float* charges,
                           Particle* particles, int n) {
  __shared__ Point points_here[256];
  __shared__ Particle particles_here[256];
  const int first = blockIdx.x * 256;
  const int count = min(256, n - first);
  const int t = threadIdx.x;
  for (int i = t; i < 3 * count; i += 256) (&points_here[0].x)[i] = (&points[first].x)[i];
  __syncthreads();
  if (t < count) {
    const Point p = points_here[t];
    particles_here[t] = {p.x, p.y, p.z, masses[first + t], charges[first + t]};
  }
  __syncthreads();
  for (int i = t; i < 5 * count; i += 256) (&particles[first].x)[i] = (&particles_here[0].x)[i];
}

void transpose_chars(const char* in, char* out, int rows, int cols) {
  transpose_walking<char, char><<<(rows + 31) / 32, dim3(32, 8)>>>(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  transpose_walking<short, short><<<(rows + 31) / 32, dim3(32, 8)>>>(in, out, rows, cols);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tile<double, 33><<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  split_tile<<<grid, dim3(32, 8)>>>(reinterpret_cast<const float2*>(in), re, im, rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join_block<<<(n + 255) / 256, 256>>>(points, masses, charges, particles, n);
}
