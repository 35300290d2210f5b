// score: 0
// says: cudaMalloc (line 
// cudaMalloc is given the number of elements instead of bytes.
#include "transpose.h"

__global__ void to_scratch(const float* in, float* scratch, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < cols) scratch[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void to_out(const float* scratch, float* out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = scratch[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  float* scratch;
  cudaMalloc((void**)&scratch, rows * cols);
  to_scratch<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, scratch, rows, cols);
  to_out<<<(rows * cols + 255) / 256, 256>>>(scratch, out, rows * cols);
  cudaFree(scratch);
}
