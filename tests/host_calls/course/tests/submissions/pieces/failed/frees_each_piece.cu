// score: 75
// says: for all work of the device although more work follows
// cudaFree waits for the device, and so pieces do not overlap.
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
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaHostRegister(in, n * sizeof(float), cudaHostRegisterDefault);
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * length;
    const cudaStream_t stream = streams[piece % 2];
    float* more;
    cudaMalloc(&more, length * sizeof(float));
    cudaMemcpyAsync(more, in + begin, length * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    double_all<<<blocks, 256, 0, stream>>>(more, out + begin, length);
    cudaFree(more);  // expect: cudaFree
  }
  cudaDeviceSynchronize();
  cudaHostUnregister(in);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(scratch);
}
