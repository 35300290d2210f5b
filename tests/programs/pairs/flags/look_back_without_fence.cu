// A prefix sum in one pass: each block publishes its sum and looks back at the blocks before.
// WRONG: no fence stands between the published sum and its status.
// finds: global_race
// prints: 4500
#include <cstdio>

constexpr int kThreads = 128;
constexpr int kMaxBlocks = 64;
__device__ int block_number;
__device__ int prefix[kMaxBlocks];
__device__ int status[kMaxBlocks];

__global__ void Scan(const int* in, int* out, int n) {
  __shared__ int values[kThreads];
  __shared__ int block, before;
  if (threadIdx.x == 0) block = atomicAdd(&block_number, 1);
  __syncthreads();
  int i = block * kThreads + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  for (int step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    int add = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
    __syncthreads();
    values[threadIdx.x] += add;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    before = 0;
    if (block > 0) {
      while (atomicAdd(&status[block - 1], 0) == 0) {
      }
      __threadfence();
      before = prefix[block - 1];  // named
    }
    prefix[block] = before + values[kThreads - 1];  // named
#ifndef WRONG
    __threadfence();
#endif
    atomicExch(&status[block], 1);
  }
  __syncthreads();
  if (i < n) out[i] = before + values[threadIdx.x];
}

int main() {
  const int n = 3000;
  static int host[n];
  for (int i = 0; i < n; i++) host[i] = i % 4;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  Scan<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[n - 1]);
  cudaFree(in);
  cudaFree(out);
}
