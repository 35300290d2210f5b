// Everything that is a number or an index has a macro.
#include "transpose.h"

#define EDGE 32
#define UP(count) (((count) + EDGE - 1) / EDGE)
#define AT(base, r, c, pitch) base[(r) * (pitch) + (c)]
#define WORD sizeof(float)
#define ACROSS (blockIdx.x * EDGE)
#define DOWN (blockIdx.y * EDGE)

__global__ void transpose_pitched(const float* in, int in_pitch, float* out, int out_pitch,
                                  int rows, int cols) {
  __shared__ float tile[EDGE][EDGE + 1];
  int col = ACROSS + threadIdx.x;
  int row = DOWN + threadIdx.y;
  if (col < cols && row < rows) tile[threadIdx.y][threadIdx.x] = AT(in, row, col, in_pitch);
  __syncthreads();
  col = DOWN + threadIdx.x;
  row = ACROSS + threadIdx.y;
  if (col < rows && row < cols) AT(out, row, col, out_pitch) = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
  float *from = nullptr, *to = nullptr;
  size_t from_pitch = 0, to_pitch = 0;
  cudaMallocPitch(&from, &from_pitch, cols * WORD, rows);
  cudaMallocPitch(&to, &to_pitch, rows * WORD, cols);
  cudaMemset2D(to, to_pitch, 0, rows * WORD, cols);
  cudaMemcpy2D(from, from_pitch, in, cols * WORD, cols * WORD, rows, cudaMemcpyDeviceToDevice);
  transpose_pitched<<<dim3(UP(cols), UP(rows)), dim3(EDGE, EDGE)>>>(from, from_pitch / WORD, to,
                                                                  to_pitch / WORD, rows, cols);
  cudaMemcpy2D(out, rows * WORD, to, to_pitch, rows * WORD, cols, cudaMemcpyDeviceToDevice);
  cudaFree(from);
  cudaFree(to);
}
