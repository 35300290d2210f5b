// The last block finds the largest of the values that the blocks have stored.
// WRONG: no fence stands between a block's value and its ticket.
// finds: global_race
// prints: 5002
#include <climits>
#include <cstdio>

__device__ int best[64];
__device__ int tickets;

__global__ void Largest(const int* in, int n, int* out) {
  int value = INT_MIN;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) value = max(value, in[i]);
  value = __reduce_max_sync(~0u, value);
  int ticket = 0;
  if (threadIdx.x == 0) {
    best[blockIdx.x] = value;  // named
#ifndef WRONG
    __threadfence();
#endif
    ticket = atomicAdd(&tickets, 1);
  }
  ticket = __shfl_sync(~0u, ticket, 0);
  if (ticket != gridDim.x - 1) return;
  __threadfence();
  __syncwarp();
  value = INT_MIN;
  for (int b = threadIdx.x; b < gridDim.x; b += 32) {
    value = max(value, best[b]);  // named
  }
  value = __reduce_max_sync(~0u, value);
  if (threadIdx.x == 0) *out = value;
}

int main() {
  const int n = 5000;
  int* host = new int[n];
  for (int i = 0; i < n; i++) host[i] = (i * 7919) % 5003;
  int *in, *out, result;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  Largest<<<40, 32>>>(in, n, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
  delete[] host;
}
