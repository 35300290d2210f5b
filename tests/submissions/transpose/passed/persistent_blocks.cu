// score: 100
// A fixed number of blocks walk over the tiles, with a stream, events and error checks.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "transpose.h"

#define CUDA_CHECK(call)                                                        \
  do {                                                                          \
    cudaError_t error = (call);                                                 \
    if (error != cudaSuccess) {                                                 \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));       \
      std::abort();                                                             \
    }                                                                           \
  } while (0)

__global__ void transpose_walk(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  const int tiles_across = (cols + 31) / 32;
  const int tiles = tiles_across * ((rows + 31) / 32);
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int row0 = t / tiles_across * 32;
    const int col0 = t % tiles_across * 32;
    for (int i = threadIdx.y; i < 32; i += blockDim.y) {
      if (row0 + i < rows && col0 + threadIdx.x < cols) {
        tile[i][threadIdx.x] = in[(row0 + i) * cols + col0 + threadIdx.x];
      }
    }
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += blockDim.y) {
      if (col0 + i < cols && row0 + threadIdx.x < rows) {
        out[(col0 + i) * rows + row0 + threadIdx.x] = tile[threadIdx.x][i];
      }
    }
    __syncthreads();
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaEventRecord(begin, stream));
  transpose_walk<<<multiprocessors, dim3(32, 16), 0, stream>>>(in, out, rows, cols);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(end, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  float milliseconds = -1;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  if (milliseconds < 0) std::abort();
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  CUDA_CHECK(cudaStreamDestroy(stream));
}
