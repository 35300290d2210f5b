#include <cstdio>

// Counts the different remainders by five of ten values.
__global__ void Remainders(const int* values, int* out) {
  int seen[5] = {};
  for (int k = 0; k < 10; ++k) seen[values[k] % 5] = 1;
  *out = seen[0] + seen[1] + seen[2] + seen[3] + seen[4];
}

int main() {
  const int values[10] = {3, 8, 14, 21, 6, 4, 0, 5, 9, 13};
  int *in, *out, result = 0;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  Remainders<<<1, 1>>>(in, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
}
