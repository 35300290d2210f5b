// This program makes only the launches that the checks of the transpose assignment make of the
// reference. `ncu` is timed with it (bench/gpu.sh).
#include <cstdio>

#include "../../reference/transpose.cu"

int main() {
  struct Shape {
    int rows, cols;
  };
  const Shape shapes[] = {{1, 1},     {1, 100},   {100, 1},   {31, 33},  {32, 32}, {33, 31},
                          {32, 33},   {33, 32},   {63, 65},   {64, 64},  {65, 63}, {97, 211},
                          {256, 512}, {500, 503}, {512, 512}, {3, 5003}, {5003, 3}};
  for (const Shape& shape : shapes) {
    const size_t bytes = static_cast<size_t>(shape.rows) * shape.cols * sizeof(float);
    float* in = nullptr;
    float* out = nullptr;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(in, 0, bytes);
    transpose(in, out, shape.rows, shape.cols);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      std::fprintf(stderr, "%dx%d: %s\n", shape.rows, shape.cols, cudaGetErrorString(error));
      return 1;
    }
    cudaFree(in);
    cudaFree(out);
  }
}
