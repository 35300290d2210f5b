// score: 100
// If the extents allow it, each load reads four elements; otherwise elements are loaded one by one.
// The 32 x 32 tiles are in dynamic shared memory. The rows of the tile of a are 36 words apart, so
// that four of them differ in their banks and still begin at a multiple of 16 bytes.
#include "matmul.h"

template <bool kVectors>
__global__ void matmul_vectors(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ float4 shared[];
  float* as = reinterpret_cast<float*>(shared);  // [32][36]
  float* bs = as + 32 * 36;                      // [32][32]
  int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
  int x = threadIdx.x, y = threadIdx.y;  // 8 x 32
  float sum[4] = {};
  for (int p0 = 0; p0 < k; p0 += 32) {
    if (kVectors) {
      shared[y * 9 + x] = *reinterpret_cast<const float4*>(&a[(row0 + y) * k + p0 + 4 * x]);
      shared[288 + y * 8 + x] = *reinterpret_cast<const float4*>(&b[(p0 + y) * n + col0 + 4 * x]);
    } else {
      for (int i = x; i < 32; i += 8) {
        as[y * 36 + i] = row0 + y < m && p0 + i < k ? a[(row0 + y) * k + p0 + i] : 0;
        bs[y * 32 + i] = p0 + y < k && col0 + i < n ? b[(p0 + y) * n + col0 + i] : 0;
      }
    }
    __syncthreads();
    for (int p = 0; p < 32; ++p) {
      float left = as[y * 36 + p];
      float4 right = *reinterpret_cast<float4*>(&bs[p * 32 + 4 * x]);
      sum[0] += left * right.x;
      sum[1] += left * right.y;
      sum[2] += left * right.z;
      sum[3] += left * right.w;
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    int col = col0 + 4 * x + i;
    if (row0 + y < m && col < n && !kVectors) c[(row0 + y) * n + col] = sum[i];
  }
  if (kVectors) {
    *reinterpret_cast<float4*>(&c[(row0 + y) * n + col0 + 4 * x]) =
        make_float4(sum[0], sum[1], sum[2], sum[3]);
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 grid((n + 31) / 32, (m + 31) / 32), block(8, 32);
  if (m % 32 == 0 && n % 32 == 0 && k % 32 == 0) {
    matmul_vectors<true><<<grid, block, 32 * (36 + 32) * sizeof(float)>>>(a, b, c, m, n, k);
  } else {
    matmul_vectors<false><<<grid, block, 32 * (36 + 32) * sizeof(float)>>>(a, b, c, m, n, k);
  }
}
