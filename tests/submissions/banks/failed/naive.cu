// score: 40
// says: 16.5 times
// Every element goes from its place to its place, without shared memory.
#include "banks.h"

template <class T>
__global__ void transpose_elements(const T* in, T* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols) {
    out[col * rows + row] = in[row * cols + col];
  }
}

__global__ void split_elements(const float* in, float* re, float* im, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols) {
    re[col * rows + row] = in[2 * (row * cols + col)];
    im[col * rows + row] = in[2 * (row * cols + col) + 1];
  }
}

__global__ void join_each(const Point* points, const float* masses, const float* charges,
                          Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    particles[i].x = points[i].x;
    particles[i].y = points[i].y;
    particles[i].z = points[i].z;
    particles[i].mass = masses[i];
    particles[i].charge = charges[i];
  }
}

void transpose_chars(const char* in, char* out, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_elements<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_elements<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_elements<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  split_elements<<<grid, dim3(32, 8)>>>(in, re, im, rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join_each<<<(n + 255) / 256, 256>>>(points, masses, charges, particles, n);
}
