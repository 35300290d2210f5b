// score: 75
// says: copies and kernels that the result needs use 1 stream besides the default stream
// says: no copy can overlap with a kernel
// Everything is in one stream, which runs one operation after the other.
#include "pieces.h"

__global__ void double_all(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

void double_pieces(float* in, float* out, int n, int pieces) {
  const int length = n / pieces;
  const int blocks = (length + 255) / 256;
  float* scratch;
  cudaMalloc(&scratch, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaHostRegister(in, n * sizeof(float), cudaHostRegisterDefault);
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * length;
    cudaMemcpyAsync(scratch + begin, in + begin, length * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    double_all<<<blocks, 256, 0, stream>>>(scratch + begin, out + begin, length);
  }
  cudaDeviceSynchronize();
  cudaHostUnregister(in);
  cudaStreamDestroy(stream);
  cudaFree(scratch);
}
