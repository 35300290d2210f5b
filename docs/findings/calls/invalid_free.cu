#include <cstdio>

int main() {
  float* grid;
  cudaMalloc(&grid, 1024);
  float* next = grid;
  cudaFree(grid);
  printf("%s\n", cudaGetErrorString(cudaFree(next)));
}
