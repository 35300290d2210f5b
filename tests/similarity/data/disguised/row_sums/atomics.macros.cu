// There is a macro for everything.
#include "row_sums.h"

#define THREADS 256
#define MOST 65535
#define CELL(r, c) m[static_cast<size_t>(r) * cols + (c)]
#define ME (blockIdx.x * blockDim.x + threadIdx.x)
#define EACH(r) for (int r = blockIdx.y; r < rows; r += gridDim.y)

__global__ void add_elements(const float* m, float* sums, int rows, int cols) {
  const int c = ME;
  EACH(r) {
    if (c < cols) atomicAdd(sums + r, CELL(r, c));
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  const dim3 blocks((cols + THREADS - 1) / THREADS, rows < MOST ? rows : MOST);
  cudaMemset(sums, 0, rows * sizeof(float));
  add_elements<<<blocks, THREADS>>>(m, sums, rows, cols);
}
