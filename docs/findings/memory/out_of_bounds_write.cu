#include <cstdio>

__global__ void Squares(int* squares, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = i * i;
}

int main() {
  const int n = 1000;
  int* squares;
  cudaMalloc(&squares, n * sizeof(int));
  Squares<<<(n + 255) / 256, 256>>>(squares, n);
  int last = 0;
  cudaMemcpy(&last, squares + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(squares);
}
