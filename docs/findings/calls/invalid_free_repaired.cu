#include <cstdio>

int main() {
  float *grid, *next;
  cudaMalloc(&grid, 1024);
  cudaMalloc(&next, 1024);
  cudaFree(grid);
  printf("%s\n", cudaGetErrorString(cudaFree(next)));
}
