// This program transposes a matrix in four ways, and also copies it. All ways must give the same
// matrix.
#include "check.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void Copy(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < min(height, int(blockIdx.y + 1) * kTile);
       y += kRows) {
    if (x < width) out[y * width + x] = in[y * width + x];
  }
}

__global__ void Naive(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += kRows) {
    const int y = blockIdx.y * kTile + threadIdx.y + j;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
  }
}

template <int kPadding>
__global__ void Tiled(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + kPadding];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

// The tile has no padding: column c of row r lies at c ^ r.
__global__ void Swizzled(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    const int row = threadIdx.y + j;
    if (x < width && y + j < height) tile[row][threadIdx.x ^ row] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    const int column = threadIdx.y + j;
    if (x < height && y + j < width) {
      out[(y + j) * height + x] = tile[threadIdx.x][column ^ threadIdx.x];
    }
  }
}

using Kernel = void (*)(const float*, float*, int, int);

int main() {
  const int width = 201, height = 139;
  Numbers numbers(2);
  std::vector<float> in(width * height);
  for (float& value : in) value = numbers.NextFloat();
  const Array<float> from(in);
  Array<float> to(in.size());
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile), block(kTile, kRows);
  const struct {
    const char* name;
    Kernel kernel;
  } all[] = {{"copy", Copy},
             {"naive", Naive},
             {"tiled", Tiled<0>},
             {"padded", Tiled<1>},
             {"swizzled", Swizzled}};
  for (const auto& [name, kernel] : all) {
    to.Zero();
    kernel<<<grid, block>>>(from.data(), to.data(), width, height);
    CHECK(cudaGetLastError());
    Show(name, to.Get());
  }
  return 0;
}
