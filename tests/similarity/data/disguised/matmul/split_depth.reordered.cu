// The launch comes first.
#include "matmul.h"

__global__ void matmul_slices(const float* a, const float* b, float* c, int m, int n, int k);

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 grid((m + 31) / 32 * ((n + 31) / 32), 1, k >= 128 ? 4 : 1);
  cudaMemset(c, 0, sizeof(float) * m * n);
  matmul_slices<<<grid, dim3(32, 32)>>>(a, b, c, m, n, k);
}

__global__ void matmul_slices(const float* a, const float* b, float* c, int m, int n, int k) {
  double sum = 0;
  int steps = (k + 31) / 32;
  int tiles_across = (n + 31) / 32;
  int col = blockIdx.x % tiles_across * 32 + threadIdx.x;
  int row = blockIdx.x / tiles_across * 32 + threadIdx.y;
  __shared__ float bs[32][32];
  __shared__ float as[32][32];
  for (int step = blockIdx.z; step < steps; step += gridDim.z) {
    int pb = step * 32 + threadIdx.y;
    bs[threadIdx.y][threadIdx.x] = col < n && pb < k ? b[(size_t)pb * n + col] : 0;
    int pa = step * 32 + threadIdx.x;
    as[threadIdx.y][threadIdx.x] = pa < k && row < m ? a[(size_t)row * k + pa] : 0;
    __syncthreads();
    for (int p = 31; p >= 0; --p) sum += (double)bs[p][threadIdx.x] * as[threadIdx.y][p];
    __syncthreads();
  }
  if (col < n && row < m) atomicAdd(&c[(size_t)row * n + col], (float)sum);
}
