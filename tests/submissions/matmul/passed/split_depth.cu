// score: 100
// The sum is split over four slices of k: each adds its share to c with an atomic. The order of
// the additions is another one for every element.
#include "matmul.h"

__global__ void matmul_slices(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][32];
  __shared__ float bs[32][32];
  int tiles_across = (n + 31) / 32;
  int row = blockIdx.x / tiles_across * 32 + threadIdx.y;
  int col = blockIdx.x % tiles_across * 32 + threadIdx.x;
  int steps = (k + 31) / 32;
  double sum = 0;
  for (int step = blockIdx.z; step < steps; step += gridDim.z) {
    int pa = step * 32 + threadIdx.x, pb = step * 32 + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < m && pa < k ? a[(size_t)row * k + pa] : 0;
    bs[threadIdx.y][threadIdx.x] = pb < k && col < n ? b[(size_t)pb * n + col] : 0;
    __syncthreads();
    for (int p = 31; p >= 0; --p) sum += (double)as[threadIdx.y][p] * bs[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) atomicAdd(&c[(size_t)row * n + col], (float)sum);
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  cudaMemset(c, 0, sizeof(float) * m * n);
  dim3 grid((m + 31) / 32 * ((n + 31) / 32), 1, k >= 128 ? 4 : 1);
  matmul_slices<<<grid, dim3(32, 32)>>>(a, b, c, m, n, k);
}
