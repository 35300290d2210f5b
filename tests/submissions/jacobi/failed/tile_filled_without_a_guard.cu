// score: 90
// says: past the end
// Tiles at the lower and the right edge are filled from behind the field.
#include <utility>

#include "jacobi.h"

constexpr int kWide = 32, kHigh = 16;

__managed__ int goes_on;

__global__ void iterate(const float* u, float* next, int w, int h, float tolerance) {
  __shared__ float tile[kHigh + 2][kWide + 2];
  const int left = blockIdx.x * kWide, top = blockIdx.y * kHigh;
  for (int i = threadIdx.y * kWide + threadIdx.x; i < (kHigh + 2) * (kWide + 2);
       i += kHigh * kWide) {
    const int x = left + i % (kWide + 2), y = top + i / (kWide + 2);
    tile[y - top][x - left] = u[static_cast<size_t>(y) * w + x];
  }
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  bool exceeds = false;
  if (left + x < w - 1 && top + y < h - 1) {
    const float mean =
        0.25f * ((tile[y][x - 1] + tile[y][x + 1]) + (tile[y - 1][x] + tile[y + 1][x]));
    next[static_cast<size_t>(top + y) * w + left + x] = mean;
    exceeds = fabsf(mean - tile[y][x]) > tolerance;
  }
  exceeds = __syncthreads_or(exceeds);
  if (exceeds && threadIdx.x == 0 && threadIdx.y == 0) atomicExch(&goes_on, 1);
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t pitch = width * sizeof(float);
  float* second = nullptr;
  cudaMalloc(&second, pitch * height);
  // The four sides of the edge.
  cudaMemcpyAsync(second, u, pitch, cudaMemcpyDeviceToDevice);
  const size_t last = static_cast<size_t>(height - 1) * width;
  cudaMemcpyAsync(second + last, u + last, pitch, cudaMemcpyDeviceToDevice);
  cudaMemcpy2DAsync(second, pitch, u, pitch, sizeof(float), height, cudaMemcpyDeviceToDevice);
  cudaMemcpy2DAsync(second + width - 1, pitch, u + width - 1, pitch, sizeof(float), height,
                    cudaMemcpyDeviceToDevice);
  const dim3 grid((width - 2 + kWide - 1) / kWide, (height - 2 + kHigh - 1) / kHigh);
  float *in = u, *out = second;
  *iterations = 0;
  do {
    goes_on = 0;
    iterate<<<grid, dim3(kWide, kHigh)>>>(in, out, width, height, tolerance);
    std::swap(in, out);
    ++*iterations;
    cudaDeviceSynchronize();
  } while (goes_on != 0 && *iterations < max_iterations);
  if (in != u) cudaMemcpy(u, in, pitch * height, cudaMemcpyDeviceToDevice);
  cudaFree(second);
}
