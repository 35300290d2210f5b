#include <cstdio>

__global__ void Reverse(int* values) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = values[t];
  values[t] = tile[255 - t];
}

int main() {
  int *values, host[256];
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  Reverse<<<1, 256>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[255]);
  cudaFree(values);
}
