// score: 100
// A block walks down a strip of 64 columns and keeps the last rows in a ring, so that no row is
// loaded twice but at the ends of the strip. The tile is dynamic.
#include "convolution.h"

constexpr int kColumns = 64;
constexpr int kRowsOfStrip = 32;

__constant__ float weights[15 * 15];

__device__ void load_row(float* ring, const float* in, int row, int height, int width, int radius) {
  const int pitch = kColumns + 2 * radius;
  const int size = 2 * radius + 1;
  const int first = blockIdx.x * kColumns - radius;
  const float* source = in + min(max(row, 0), height - 1) * width;
  float* target = ring + (row + size) % size * pitch;
  for (int i = threadIdx.x; i < pitch; i += kColumns) {
    target[i] = source[min(max(first + i, 0), width - 1)];
  }
}

__global__ void walk_down(const float* in, float* out, int height, int width, int radius) {
  extern __shared__ float ring[];
  const int pitch = kColumns + 2 * radius;
  const int size = 2 * radius + 1;
  const int top = blockIdx.y * kRowsOfStrip;
  const int bottom = min(top + kRowsOfStrip, height);
  const int x = blockIdx.x * kColumns + threadIdx.x;
  for (int row = top - radius; row < top + radius; ++row) {
    load_row(ring, in, row, height, width, radius);
  }
  for (int y = top; y < bottom; ++y) {
    load_row(ring, in, y + radius, height, width, radius);
    __syncthreads();
    float sum = 0;
    int slot = (y - radius + size) % size;
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < size; ++i) {
        sum = fmaf(weights[j * size + i], ring[slot * pitch + threadIdx.x + i], sum);
      }
      slot = slot + 1 == size ? 0 : slot + 1;
    }
    if (x < width) out[y * width + x] = sum;
    __syncthreads();
  }
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  void* target;
  cudaGetSymbolAddress(&target, weights);
  cudaMemcpyAsync(target, mask, size * size * sizeof(float), cudaMemcpyDeviceToDevice);
  const dim3 grid((width + kColumns - 1) / kColumns, (height + kRowsOfStrip - 1) / kRowsOfStrip);
  walk_down<<<grid, kColumns, size*(kColumns + 2 * radius) * sizeof(float)>>>(in, out, height,
                                                                              width, radius);
}
