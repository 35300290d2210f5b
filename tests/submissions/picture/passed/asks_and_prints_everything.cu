// score: 100
// Checks every call, asks for everything that can be asked for, prints it, and prints the first
// pixels before and after, from the host and from the kernel.
#include <cstdio>
#include <cstdlib>

#include "picture.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                            \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(error), \
                   cudaGetErrorString(error));                                             \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (false)

__global__ void scale(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const size_t pixel = static_cast<size_t>(y) * width + x;
  out[pixel] = 2 * in[pixel];
  if (x < 2 && y == 0) printf("pixel %d: %g becomes %g\n", x, in[pixel], out[pixel]);
}

void scale_picture(const float* in, float* out, int width, int height) {
  int device = -1;
  CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device));
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  size_t free_bytes = 0, all_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
  std::printf("%s, %d.%d, driver %d, runtime %d, %zu of %zu bytes are free\n", properties.name,
              properties.major, properties.minor, driver, runtime, free_bytes, all_bytes);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, in));
  std::printf("in: type %d, device %d\n", static_cast<int>(attributes.type), attributes.device);

  float before = 0, after = 0;
  CHECK(cudaMemcpy(&before, in, sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("first pixel before: %g\n", before);

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  const dim3 block(32, 4);
  scale<<<dim3((width + 31) / 32, (height + 3) / 4), block>>>(in, out, width, height);
  CHECK(cudaPeekAtLastError());
  CHECK(cudaEventRecord(stop));
  const cudaError_t busy = cudaStreamQuery(nullptr);
  if (busy != cudaSuccess && busy != cudaErrorNotReady) std::exit(EXIT_FAILURE);
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaGetLastError());
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));

  CHECK(cudaMemcpy(&after, out, sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("first pixel after: %g, %g ms\n", after, milliseconds);
}
