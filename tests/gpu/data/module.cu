// This module has variables of every kind, and a kernel that uses all of them.
__device__ int counter;
static __device__ float table[100];
__constant__ float weights[16] = {1, 2};
static __constant__ int scales[3];
__managed__ int managed = 7;
__device__ double initial = 3.0;
namespace inner {
__device__ int words[4];
}

__global__ void use_all(float* out, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = table[n] + weights[n] + static_cast<float>(scales[1] + managed);
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] + static_cast<float>(initial) + inner::words[2];
  counter = n;
  table[n] = 2;
}
