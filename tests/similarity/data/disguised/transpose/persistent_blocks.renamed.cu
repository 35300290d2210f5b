// This is my solution for the matrix exercise.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "transpose.h"

#define TRY(what)                                                          \
  do {                                                                     \
    cudaError_t status = (what);                                           \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "failed: %s -> %s\n", #what, cudaGetErrorString(status)); \
      std::abort();                                                        \
    }                                                                      \
  } while (0)

__global__ void my_kernel(const float* source, float* target, int height, int width) {
  __shared__ float buffer[32][33];
  const int per_line = (width + 31) / 32;
  const int total = per_line * ((height + 31) / 32);
  // each block takes every gridDim.x-th piece
  for (int piece = blockIdx.x; piece < total; piece += gridDim.x) {
    const int y0 = piece / per_line * 32;
    const int x0 = piece % per_line * 32;
    for (int k = threadIdx.y; k < 32; k += blockDim.y) {
      if (y0 + k < height && x0 + threadIdx.x < width) {
        buffer[k][threadIdx.x] = source[(y0 + k) * width + x0 + threadIdx.x];
      }
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += blockDim.y) {
      if (x0 + k < width && y0 + threadIdx.x < height) {
        target[(x0 + k) * height + y0 + threadIdx.x] = buffer[threadIdx.x][k];
      }
    }
    __syncthreads();
  }
}

void transpose(const float* source, float* target, int height, int width) {
  cudaStream_t queue;
  cudaEvent_t t0, t1;
  TRY(cudaStreamCreate(&queue));
  TRY(cudaEventCreate(&t0));
  TRY(cudaEventCreate(&t1));
  int gpu = 0;
  int sms = 0;
  TRY(cudaGetDevice(&gpu));
  TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu));
  TRY(cudaEventRecord(t0, queue));
  my_kernel<<<sms, dim3(32, 16), 0, queue>>>(source, target, height, width);
  TRY(cudaGetLastError());
  TRY(cudaEventRecord(t1, queue));
  TRY(cudaStreamSynchronize(queue));
  float elapsed = -1;
  TRY(cudaEventElapsedTime(&elapsed, t0, t1));
  if (elapsed < 0) std::abort();
  TRY(cudaEventDestroy(t0));
  TRY(cudaEventDestroy(t1));
  TRY(cudaStreamDestroy(queue));
}
