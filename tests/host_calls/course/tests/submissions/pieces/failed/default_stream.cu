// score: 75
// says: make streams with cudaStreamCreate
// Everything is in the default stream.
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
  cudaHostRegister(in, n * sizeof(float), cudaHostRegisterDefault);
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * length;
    cudaMemcpyAsync(scratch + begin, in + begin, length * sizeof(float), cudaMemcpyHostToDevice,
                    nullptr);
    double_all<<<blocks, 256, 0, nullptr>>>(scratch + begin, out + begin, length);
  }
  cudaDeviceSynchronize();
  cudaHostUnregister(in);
  cudaFree(scratch);
}
