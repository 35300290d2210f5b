// score: 100
// A kernel writes the columns of the mask into own memory as rows, from where they go to constant
// memory. The second kernel sums by columns: a thread keeps the pixels of a column of the tile in
// registers as it walks through them from below, in a class template for the window.
#include "convolution.h"

constexpr int kSide = 32;
constexpr int kPer = 8;  // results of a thread, one below the other
constexpr int kMostSize = 2 * kMaxRadius + 1;

__constant__ float columns_of_mask[kMostSize * kMostSize];

__global__ void transpose_mask(const float* mask, float* columns, int size) {
  __shared__ float square[kMostSize][kMostSize];
  const int j = threadIdx.y, i = threadIdx.x;
  square[j][i] = mask[j * size + i];
  __syncthreads();
  columns[j * size + i] = square[i][j];
}

template <int kLength>
class Window {
 public:
  __device__ float operator[](int i) const { return values_[i]; }
  // Puts a value at the front; the last one falls out.
  __device__ void push(float value) {
#pragma unroll
    for (int i = kLength - 1; i > 0; --i) values_[i] = values_[i - 1];
    values_[0] = value;
  }

 private:
  float values_[kLength] = {};
};

__global__ void __launch_bounds__(kSide* kSide / kPer)
    sum_columns(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tile[kSide + 2 * kMaxRadius][kSide + 2 * kMaxRadius];
  const int size = 2 * radius + 1;
  const int left = blockIdx.x * kSide, top = blockIdx.y * kSide;
  const int lane = threadIdx.x, group = threadIdx.y;
  for (int y = kSide + 2 * radius - 1 - group; y >= 0; y -= kSide / kPer) {
    const int row = min(max(top + y - radius, 0), height - 1);
    for (int x = lane; x < kSide + 2 * radius; x += kSide) {
      const int column = min(max(left + x - radius, 0), width - 1);
      tile[y][x] = in[static_cast<size_t>(row) * width + column];
    }
  }
  __syncthreads();
  float sums[kPer] = {};
  const int first = group * kPer;
  for (int i = 0; i < size; ++i) {
    Window<kPer> window;  // window[k] is the pixel that result k needs now
#pragma unroll
    for (int k = 0; k < kPer - 1; ++k) window.push(tile[first + size - 1 + kPer - 1 - k][lane + i]);
    for (int j = size - 1; j >= 0; --j) {
      window.push(tile[first + j][lane + i]);
      const float weight = columns_of_mask[i * size + j];
#pragma unroll
      for (int k = 0; k < kPer; ++k) sums[k] += weight * window[k];
    }
  }
#pragma unroll
  for (int k = 0; k < kPer; ++k) {
    const int y = top + first + k, x = left + lane;
    if (y < height && x < width) out[static_cast<size_t>(y) * width + x] = sums[k];
  }
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  const size_t bytes = size * size * sizeof(float);
  float* columns = nullptr;
  cudaMallocAsync(&columns, bytes, 0);
  transpose_mask<<<1, dim3(size, size)>>>(mask, columns, size);
  cudaMemcpyToSymbolAsync(columns_of_mask, columns, bytes, 0, cudaMemcpyDeviceToDevice, 0);
  cudaFreeAsync(columns, 0);
  const dim3 grid((width - 1) / kSide + 1, (height - 1) / kSide + 1);
  sum_columns<<<grid, dim3(kSide, kSide / kPer)>>>(in, out, height, width, radius);
}
