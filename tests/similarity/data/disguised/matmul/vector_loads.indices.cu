// Thread positions are flat, and distances replace coordinates.
#include "matmul.h"

template <bool kVectors>
__global__ void matmul_vectors(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ float4 shared[];
  float* as = reinterpret_cast<float*>(shared);
  float* bs = as + 1152;
  int x = threadIdx.x, y = threadIdx.y;
  int my_row = y + 32 * blockIdx.y;
  int col0 = 32 * blockIdx.x;
  float sum[4] = {};
  int a_at = k * my_row;
  for (int p0 = 0; p0 < k; p0 += 32) {
    if (kVectors) {
      shared[x + 9 * y] = *reinterpret_cast<const float4*>(a + a_at + (p0 + 4 * x));
      shared[x + 8 * (y + 36)] = *reinterpret_cast<const float4*>(b + col0 + 4 * x + n * p0 + n * y);
    } else {
      for (int i = x; i < 32; i += 8) {
        as[i + 36 * y] = my_row < m && i + p0 < k ? a[a_at + (i + p0)] : 0;
        bs[i + 32 * y] = y + p0 < k && i + col0 < n ? b[n * (y + p0) + (i + col0)] : 0;
      }
    }
    __syncthreads();
    for (int p = 0; p < 32; ++p) {
      float left = as[p + 36 * y];
      float4 right = *reinterpret_cast<float4*>(bs + 4 * (8 * p + x));
      sum[0] += left * right.x;
      sum[1] += left * right.y;
      sum[2] += left * right.z;
      sum[3] += left * right.w;
    }
    __syncthreads();
  }
  float* result = c + n * my_row + col0 + 4 * x;
  for (int i = 0; i < 4; ++i) {
    if (my_row < m && i + 4 * x + col0 < n && !kVectors) result[i] = sum[i];
  }
  if (kVectors) {
    *reinterpret_cast<float4*>(result) = make_float4(sum[0], sum[1], sum[2], sum[3]);
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(8, 32), grid((31 + n) / 32, (31 + m) / 32);
  int bytes = 4 * 32 * 68;
  if ((m % 32) + (n % 32) + (k % 32) == 0) {
    matmul_vectors<true><<<grid, block, bytes>>>(a, b, c, m, n, k);
  } else {
    matmul_vectors<false><<<grid, block, bytes>>>(a, b, c, m, n, k);
  }
}
