#include <cstdio>

// Adds each element of a block of 256 to its right neighbour.
__global__ void AddNeighbours(float* out) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  out[t] = tile[t] + tile[t + 1];
}

int main() {
  float* out;
  cudaMalloc(&out, 256 * sizeof(float));
  AddNeighbours<<<1, 256>>>(out);
  float first;
  cudaMemcpy(&first, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.0f\n", first);
  cudaFree(out);
}
