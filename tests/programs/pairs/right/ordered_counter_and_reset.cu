// The last block adds up and resets the counter by a plain store; so does a grid barrier's leader.
// notes: volatile_race
// prints: 384
#include <cstdio>

__device__ unsigned finished;
__device__ volatile unsigned generation;
__device__ unsigned arrived;

__device__ void Barrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned mine = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      generation = mine + 1;
    } else {
      while (generation == mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void Work(int* parts, int* out) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  Barrier();
  int sum = 0;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < blockDim.x; i++)
      sum += parts[((blockIdx.x + 1) % gridDim.x) * blockDim.x + i];
  }
  Barrier();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; b++) all += parts[b];
    *out = all;
    finished = 0;
  }
}

int main() {
  int *parts, *out, result;
  cudaMalloc(&parts, 6 * 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  for (int round = 0; round < 2; round++) Work<<<6, 64>>>(parts, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(parts);
  cudaFree(out);
}
