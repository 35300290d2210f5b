// This follows the programming guide: it loads a tile of A and a tile of B at a time.
#include "matmul.h"

#define TILE_WIDTH 16

__global__ void MatMulKernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int Col = bx * TILE_WIDTH + tx;
  for (int by = blockIdx.y; by * TILE_WIDTH < M; by += gridDim.y) {
    int Row = by * TILE_WIDTH + ty;
    float Cvalue = 0;
    for (int t = 0; t < (K - 1) / TILE_WIDTH + 1; ++t) {
      if (Row < M && t * TILE_WIDTH + tx < K) {
        As[ty][tx] = A[Row * K + t * TILE_WIDTH + tx];
      } else {
        As[ty][tx] = 0.0f;
      }
      if (t * TILE_WIDTH + ty < K && Col < N) {
        Bs[ty][tx] = B[(t * TILE_WIDTH + ty) * N + Col];
      } else {
        Bs[ty][tx] = 0.0f;
      }
      __syncthreads();
      for (int i = 0; i < TILE_WIDTH; ++i) {
        Cvalue += As[ty][i] * Bs[i][tx];
      }
      __syncthreads();
    }
    if (Row < M && Col < N) C[Row * N + Col] = Cvalue;
  }
}

void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
  int gridY = (M - 1) / TILE_WIDTH + 1;
  if (gridY > 65535) gridY = 65535;
  dim3 dimGrid((N - 1) / TILE_WIDTH + 1, gridY);
  MatMulKernel<<<dimGrid, dimBlock>>>(A, B, C, M, N, K);
}
