// Each argument is a kernel that is run: some execute approximate instructions.
#include <cuda_runtime.h>

#include <cstring>

__global__ void Exact(float* x) { x[0] = x[0] * 3 + 1; }

__global__ void Stored(float* x) {
  float y = __expf(x[0]);
  y = y * 2 + 1;
  x[1] = y;
}

__global__ void Decides(float* x) {
  const float y = __sinf(x[0]);
  if (y > 0.5f) {
    x[1] = 1;
  }
}

__global__ void Unused(float* x) {
  asm volatile("{ .reg .f32 t; sin.approx.f32 t, %0; }" ::"f"(x[0]));
  x[1] = 1;
}

// x[0] is 0.
__global__ void NotReached(float* x) {
  if (x[0] > 1) {
    x[1] = __expf(x[0]);
  }
}

__global__ void Outside(float* x) { x[2] = 1; }

int main(int count, char** arguments) {
  float* x;
  cudaMalloc(&x, 8);
  cudaMemset(x, 0, 8);
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(arguments[i], "Exact")) Exact<<<1, 1>>>(x);
    if (!std::strcmp(arguments[i], "Stored")) Stored<<<1, 1>>>(x);
    if (!std::strcmp(arguments[i], "Decides")) Decides<<<1, 1>>>(x);
    if (!std::strcmp(arguments[i], "Unused")) Unused<<<1, 1>>>(x);
    if (!std::strcmp(arguments[i], "NotReached")) NotReached<<<1, 1>>>(x);
    if (!std::strcmp(arguments[i], "Outside")) Outside<<<1, 1>>>(x);
    if (!std::strcmp(arguments[i], "NotOffered")) cudaFreeMipmappedArray(nullptr);
  }
  cudaDeviceSynchronize();
  cudaFree(x);
}
