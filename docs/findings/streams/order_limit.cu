#include <cstdio>

// Each thread writes an element, and leaves out the next one.
__global__ void Write(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[2 * i] = i;
}

int main() {
  const int n = 1 << 20;
  int* values;
  cudaStream_t stream;
  cudaMalloc(&values, 2 * n * sizeof(int));
  cudaStreamCreate(&stream);
  Write<<<n / 256, 256, 0, stream>>>(values);
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
  cudaStreamDestroy(stream);
  cudaFree(values);
}
