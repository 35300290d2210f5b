// Each block adds up in shared memory, and one thread adds the block's sum to the total.
// WRONG: the last step uses the scope of the block, which is right for shared memory only.
// finds: global_race
// prints: 6000
#include <cstdio>

__global__ void Sum(const int* in, int n, int* total) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd_block(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef WRONG
    atomicAdd_block(total, sum);  // named
#else
    atomicAdd(total, sum);
#endif
  }
}

int main() {
  const int n = 3000;
  static int host[n];
  for (int i = 0; i < n; i++) host[i] = i % 5;
  int *in, *total, result;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  Sum<<<(n + 255) / 256, 256>>>(in, n, total);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(in);
  cudaFree(total);
}
