// score: 0
// Each factor is a sum of two bfloat16, and the product of the small parts is missing: 16 bits
// remain.
#include <cuda_bf16.h>

#include "matmul.h"

__device__ float big(float x) { return __bfloat162float(__float2bfloat16(x)); }
__device__ float small_part(float x) { return big(x - big(x)); }

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ah[16][16], al[16][16], bh[16][16], bl[16][16];
  int tiles = (n + 15) / 16, x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.x / tiles * 16 + y, col = blockIdx.x % tiles * 16 + x;
  float sum = 0;
  for (int f = 0; f < k; f += 16) {
    float av = row < m && f + x < k ? a[(size_t)row * k + f + x] : 0;
    float bv = f + y < k && col < n ? b[(size_t)(f + y) * n + col] : 0;
    ah[y][x] = big(av);
    al[y][x] = small_part(av);
    bh[y][x] = big(bv);
    bl[y][x] = small_part(bv);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += ah[y][i] * bh[i][x] + (ah[y][i] * bl[i][x] + al[y][i] * bh[i][x]);
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  multiply<<<(m + 15) / 16 * ((n + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
