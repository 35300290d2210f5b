// score: 100
// No row has padding: an exclusive or moves the words of a row, so that a column lies in different
// banks. The words of points go to their places in the particles at once.
#include "banks.h"

constexpr int kSide = 32;

template <class T>
__device__ int Place(int row, int col) {
  constexpr int kShared = sizeof(T) < 4 ? 4 / sizeof(T) : 1;  // elements that share a word
  const int word = col / kShared ^ row / kShared;
  return row * kSide + word * kShared + col % kShared;
}

template <class T>
__global__ void transpose_swizzled(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kSide * kSide];
  const int first_row = blockIdx.y * kSide;
  const int first_col = blockIdx.x * kSide;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (first_row + y < rows && first_col + x < cols) {
      tile[Place<T>(y, x)] = in[size_t(first_row + y) * cols + first_col + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (first_col + y < cols && first_row + x < rows) {
      out[size_t(first_col + y) * rows + first_row + x] = tile[Place<T>(x, y)];
    }
  }
}

__global__ void split_swizzled(const float2* in, float* re, float* im, int rows, int cols) {
  __shared__ float2 tile[kSide * kSide];
  const int first_row = blockIdx.y * kSide;
  const int first_col = blockIdx.x * kSide;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (first_row + y < rows && first_col + x < cols) {
      tile[Place<float2>(y, x)] = in[size_t(first_row + y) * cols + first_col + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    if (first_col + y < cols && first_row + x < rows) {
      const float2 number = tile[Place<float2>(x, y)];
      const size_t i = size_t(first_col + y) * rows + first_row + x;
      re[i] = number.x;
      im[i] = number.y;
    }
  }
}

__global__ void join_in_place(const float* points, const float* masses, const float* charges,
                              float* particles, int n) {
  __shared__ float words[5 * 128];
  const int first = blockIdx.x * 128;
  const int count = min(128, n - first);
  for (int i = threadIdx.x; i < 3 * count; i += 128) {
    words[i / 3 * 5 + i % 3] = points[3 * first + i];
  }
  if (threadIdx.x < count) {
    words[5 * threadIdx.x + 3] = masses[first + threadIdx.x];
    words[5 * threadIdx.x + 4] = charges[first + threadIdx.x];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 5 * count; i += 128) particles[5 * first + i] = words[i];
}

template <class T>
void transpose(const T* in, T* out, int rows, int cols) {
  const dim3 grid((cols + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  transpose_swizzled<<<grid, dim3(kSide, 4)>>>(in, out, rows, cols);
}

void transpose_chars(const char* in, char* out, int rows, int cols) {
  transpose(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  transpose(in, out, rows, cols);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  transpose(in, out, rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  const dim3 grid((cols + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  split_swizzled<<<grid, dim3(kSide, 4)>>>(reinterpret_cast<const float2*>(in), re, im, rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join_in_place<<<(n + 127) / 128, 128>>>(reinterpret_cast<const float*>(points), masses, charges,
                                          reinterpret_cast<float*>(particles), n);
}
