#include <cstdio>

// Block b has the tile (b % tiles, b / tiles) of a matrix with `columns` columns.
__global__ void TileOfBlock(int2* tile_of, int columns) {
  const int tiles = columns / 32;
  tile_of[blockIdx.x] = make_int2(blockIdx.x % tiles, blockIdx.x / tiles);
}

int main() {
  const int columns = 20;
  int2 *tile_of, last;
  cudaMalloc(&tile_of, 4 * sizeof(int2));
  TileOfBlock<<<4, 1>>>(tile_of, columns);
  cudaMemcpy(&last, tile_of + 3, sizeof last, cudaMemcpyDeviceToHost);
  printf("(%d, %d)\n", last.x, last.y);
  cudaFree(tile_of);
}
