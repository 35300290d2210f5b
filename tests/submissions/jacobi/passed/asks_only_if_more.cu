// score: 100
// Nobody needs the largest change: a block says by a vote whether any of its points changed by more
// than the tolerance, and stores the number of the iteration if so. So nothing has to be set back:
// the host compares the stored number with its own. The field is a two-dimensional array type.
#include "jacobi.h"

#include <type_traits>

#define THREADS 288

__device__ int last_number;

class Plate {
 public:
  __host__ __device__ Plate(float* points, int width) : points_(points), width_(width) {}
  __device__ float* operator[](int row) const { return points_ + (size_t)row * width_; }
  __host__ float* points() const { return points_; }

 private:
  float* points_;
  int width_;
};

__global__ void __launch_bounds__(THREADS) relax(const Plate old, const Plate next, int width, int height, float tolerance, int number) {
  bool more = false;
  for (int y = 1 + blockIdx.y; y < height - 1; y += gridDim.y) {
    for (int x = blockIdx.x * THREADS + threadIdx.x; x < width - 1; x += gridDim.x * THREADS) {
      if (x == 0) continue;
      const float mean = 0.25f * (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]);
      next[y][x] = mean;
      more |= fabsf(mean - old[y][x]) > tolerance;
    }
  }
  if (__syncthreads_count(more) > 0 && threadIdx.x == THREADS - 1) atomicExch(&last_number, number);
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  size_t bytes = sizeof(float) * width * height;
  float* memory;
  cudaMalloc(&memory, bytes);
  cudaMemcpy(memory, u, bytes, cudaMemcpyDeviceToDevice);
  int stored = -1;
  cudaMemcpyToSymbol(last_number, &stored, sizeof(int));
  Plate plates[2] = {Plate(u, width), Plate(memory, width)};
  dim3 grid((width + THREADS - 1) / THREADS, height - 2 < 2000 ? height - 2 : 2000);
  int number = 0;
  do {
    relax<<<grid, THREADS>>>(plates[number % 2], plates[(number + 1) % 2], width, height, tolerance, number);
    cudaMemcpyFromSymbol(&stored, last_number, sizeof(int));
  } while (stored == number++ && number < max_iterations);
  if (number % 2 == 1) cudaMemcpy(u, memory, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(memory);
  *iterations = number;
}
