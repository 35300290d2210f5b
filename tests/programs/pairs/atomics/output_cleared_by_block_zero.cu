// A matrix-vector product is split along the columns, so that several blocks add to each row.
// WRONG: the first block clears the output in the same kernel.
// finds: global_race
// prints: 90
#include <cstdio>

__global__ void Multiply(const float* matrix, const float* x, float* y, int rows, int cols,
                         int part) {
  int row = threadIdx.x;
#ifdef WRONG
  if (blockIdx.x == 0) y[row] = 0;  // named
  __syncthreads();
#endif
  float sum = 0;
  for (int c = blockIdx.x * part; c < min(cols, (blockIdx.x + 1) * part); c++) {
    sum += matrix[row * cols + c] * x[c];
  }
  atomicAdd(&y[row], sum);  // named
}

int main() {
  const int rows = 64, cols = 90, part = 30;
  static float host[rows * cols];
  for (float& value : host) value = 1;
  float *matrix, *x, *y;
  cudaMalloc(&matrix, sizeof(host));
  cudaMalloc(&x, cols * sizeof(float));
  cudaMalloc(&y, rows * sizeof(float));
  cudaMemcpy(matrix, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(x, host, cols * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, rows * sizeof(float));
  Multiply<<<cols / part, rows>>>(matrix, x, y, rows, cols, part);
  cudaMemcpy(host, y, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[rows - 1]);
  cudaFree(matrix);
  cudaFree(x);
  cudaFree(y);
}
