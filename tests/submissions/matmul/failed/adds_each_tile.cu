// score: 90
// Each block multiplies one pair of tiles and adds the products to c. The loads are as they should
// be, since adding loads nothing; but c is stored once for every pair.
#include "matmul.h"

__global__ void matmul_pair(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tiles_across = (n + 15) / 16;
  int row = blockIdx.x / tiles_across * 16 + threadIdx.y;
  int col = blockIdx.x % tiles_across * 16 + threadIdx.x;
  int pa = blockIdx.z * 16 + threadIdx.x, pb = blockIdx.z * 16 + threadIdx.y;
  as[threadIdx.y][threadIdx.x] = row < m && pa < k ? a[(size_t)row * k + pa] : 0;
  bs[threadIdx.y][threadIdx.x] = pb < k && col < n ? b[(size_t)pb * n + col] : 0;
  __syncthreads();
  float sum = 0;
  for (int p = 0; p < 16; ++p) sum += as[threadIdx.y][p] * bs[p][threadIdx.x];
  if (row < m && col < n) atomicAdd(&c[(size_t)row * n + col], sum);  // expect: sectors stored
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  cudaMemset(c, 0, sizeof(float) * m * n);
  dim3 grid((m + 15) / 16 * ((n + 15) / 16), 1, (k + 15) / 16);
  matmul_pair<<<grid, dim3(16, 16)>>>(a, b, c, m, n, k);
}
