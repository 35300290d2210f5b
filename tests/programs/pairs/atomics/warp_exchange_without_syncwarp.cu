// Each lane stores a value in shared memory and reads its neighbour's.
// WRONG: no __syncwarp() between the store and the load.
// finds: shared_race
// prints: 21
#include <cstdio>

__global__ void Differences(const int* in, int* out) {
  __shared__ int box[4][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  box[warp][lane] = in[i];  // named
#ifndef WRONG
  __syncwarp();
#endif
  out[i] = box[warp][(lane + 1) % 32] - box[warp][lane];  // named
}

int main() {
  const int n = 256;
  int host[n], *in, *out;
  for (int i = 0; i < n; i++) host[i] = i * i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  Differences<<<2, 128>>>(in, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[10]);
  cudaFree(in);
  cudaFree(out);
}
