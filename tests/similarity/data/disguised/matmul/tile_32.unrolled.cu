// There are four sums with names of their own.
#include "matmul.h"

__global__ void matmul_tile_32(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][32];
  __shared__ float bs[32][32];
  int col = blockIdx.x * 32 + threadIdx.x;
  for (int row0 = blockIdx.y * 32; row0 < m; row0 += gridDim.y * 32) {
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int p0 = 0; p0 < k; p0 += 32) {
      int i = threadIdx.y;
      as[i][threadIdx.x] = row0 + i < m && p0 + threadIdx.x < k ? a[(row0 + i) * k + p0 + threadIdx.x] : 0.f;
      bs[i][threadIdx.x] = p0 + i < k && col < n ? b[(p0 + i) * n + col] : 0.f;
      i += 8;
      as[i][threadIdx.x] = row0 + i < m && p0 + threadIdx.x < k ? a[(row0 + i) * k + p0 + threadIdx.x] : 0.f;
      bs[i][threadIdx.x] = p0 + i < k && col < n ? b[(p0 + i) * n + col] : 0.f;
      i += 8;
      as[i][threadIdx.x] = row0 + i < m && p0 + threadIdx.x < k ? a[(row0 + i) * k + p0 + threadIdx.x] : 0.f;
      bs[i][threadIdx.x] = p0 + i < k && col < n ? b[(p0 + i) * n + col] : 0.f;
      i += 8;
      as[i][threadIdx.x] = row0 + i < m && p0 + threadIdx.x < k ? a[(row0 + i) * k + p0 + threadIdx.x] : 0.f;
      bs[i][threadIdx.x] = p0 + i < k && col < n ? b[(p0 + i) * n + col] : 0.f;
      __syncthreads();
      for (int p = 0; p < 32; ++p) {
        float value = bs[p][threadIdx.x];
        s0 += as[threadIdx.y][p] * value;
        s1 += as[threadIdx.y + 8][p] * value;
        s2 += as[threadIdx.y + 16][p] * value;
        s3 += as[threadIdx.y + 24][p] * value;
      }
      __syncthreads();
    }
    int row = row0 + threadIdx.y;
    if (row < m && col < n) c[row * n + col] = s0;
    row += 8;
    if (row < m && col < n) c[row * n + col] = s1;
    row += 8;
    if (row < m && col < n) c[row * n + col] = s2;
    row += 8;
    if (row < m && col < n) c[row * n + col] = s3;
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int rows = (m + 31) / 32;
  matmul_tile_32<<<dim3((n + 31) / 32, rows < 512 ? rows : 512), dim3(32, 8)>>>(a, b, c, m, n, k);
}
