// score: 85
// says: these asynchronous copies make the host wait
// says: allocate it with cudaMallocHost
// The memory of the host is pageable, so the copies are not asynchronous.
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
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * length;
    const cudaStream_t stream = streams[piece % 2];
    cudaMemcpyAsync(scratch + begin, in + begin, length * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    double_all<<<blocks, 256, 0, stream>>>(scratch + begin, out + begin, length);
  }
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(scratch);
}
