// The last warp of a reduction works without __syncthreads().
// WRONG: it has no __syncwarp() either, and relies on lockstep.
// finds: shared_race
// prints: 523776
#include <cstdio>

__global__ void Reduce(const int* in, int* out) {
  extern __shared__ int data[];
  unsigned t = threadIdx.x;
  data[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 16; s >>= 1) {
    if (t < s) data[t] += data[t + s];
    __syncthreads();
  }
  if (t < 32) {
    for (unsigned s = 16; s > 0; s >>= 1) {
#ifdef WRONG
      if (t < s) data[t] += data[t + s];  // named
#else
      if (t < s) data[t] += data[t + s];
      __syncwarp();
#endif
    }
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

int main() {
  const int n = 1024, threads = 256;
  int host[n], *in, *out, sums[n / threads];
  for (int i = 0; i < n; i++) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(sums));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  Reduce<<<n / threads, threads, threads * sizeof(int)>>>(in, out);
  cudaMemcpy(sums, out, sizeof(sums), cudaMemcpyDeviceToHost);
  printf("%d\n", sums[0] + sums[1] + sums[2] + sums[3]);
  cudaFree(in);
  cudaFree(out);
}
