// score: 100
// cuda::barrier in two phases: a thread arrives when it has stored its part of the tile, computes
// where its results go, and only then waits for the others. A tile of 64 x 32 elements is loaded by
// rows of 32, and its columns of 64 are stored.
#include <cuda/barrier>
#include <utility>

#include "banks.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

using Barrier = cuda::barrier<cuda::thread_scope_block>;

namespace {

constexpr int kThreads = 256, kHigh = 64, kWide = 32;

template <class T>
constexpr int kPitch = sizeof(T) == 1 ? kWide + 4 : sizeof(T) == 2 ? kWide + 2 : kWide + 1;

template <class T, class Result>
__global__ void TwoPhases(const T* in, Result result, int rows, int cols) {
  __shared__ T tile[kHigh][kPitch<T>];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  const int across = (cols - 1) / kWide + 1;
  const int top = blockIdx.x / across * kHigh, left = blockIdx.x % across * kWide;
  {
    const int c = threadIdx.x % kWide;
    for (int r = threadIdx.x / kWide; r < kHigh; r += kThreads / kWide) {
      if (top + r < rows && left + c < cols) {
        tile[r][c] = in[static_cast<size_t>(top + r) * cols + left + c];
      }
    }
  }
  auto token = barrier.arrive();
  const int r = threadIdx.x % kHigh;
  const int first = threadIdx.x / kHigh;
  const size_t at = static_cast<size_t>(left + first) * rows + top + r;
  const int count = top + r < rows ? min(kWide, cols - left) : 0;
  barrier.wait(std::move(token));
  for (int c = first; c < count; c += kThreads / kHigh) {
    result.Put(at + static_cast<size_t>(c - first) * rows, tile[r][c]);
  }
}

template <class T>
struct Array {
  T* elements;
  __device__ void Put(size_t i, T value) const { elements[i] = value; }
};
struct Pair {
  float *first, *second;
  __device__ void Put(size_t i, float2 value) const {
    first[i] = value.x;
    second[i] = value.y;
  }
};

template <class T, class Result>
void Start(const T* in, Result result, int rows, int cols) {
  const int blocks = ((rows - 1) / kHigh + 1) * ((cols - 1) / kWide + 1);
  TwoPhases<<<blocks, kThreads>>>(in, result, rows, cols);
}

__global__ void Join(const float* points, const float* masses, const float* charges,
                     float* particles, int n) {
  __shared__ float of_points[3 * kThreads], of_particles[5 * kThreads];
  __shared__ Barrier loaded, made;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&loaded, kThreads);
    init(&made, kThreads);
  }
  __syncthreads();
  const size_t first = static_cast<size_t>(blockIdx.x) * kThreads;
  const int count = n - first < kThreads ? n - first : kThreads;
  for (int w = t; w < 3 * count; w += kThreads) of_points[w] = points[3 * first + w];
  auto token = loaded.arrive();
  const float mass = t < count ? masses[first + t] : 0;
  const float charge = t < count ? charges[first + t] : 0;
  loaded.wait(std::move(token));
  if (t < count) {
    of_particles[5 * t] = of_points[3 * t];
    of_particles[5 * t + 1] = of_points[3 * t + 1];
    of_particles[5 * t + 2] = of_points[3 * t + 2];
    of_particles[5 * t + 3] = mass;
    of_particles[5 * t + 4] = charge;
  }
  made.arrive_and_wait();
  for (int w = t; w < 5 * count; w += kThreads) particles[5 * first + w] = of_particles[w];
}

}  // namespace

void transpose_chars(const char* in, char* out, int rows, int cols) {
  Start(in, Array<char>{out}, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  Start(in, Array<short>{out}, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  Start(in, Array<double>{out}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  Start(reinterpret_cast<const float2*>(in), Pair{re, im}, rows, cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  Join<<<(n - 1) / kThreads + 1, kThreads>>>(&points[0].x, masses, charges, &particles[0].x, n);
}
