// score: 100
// Two pieces of pinned memory are filled in turn; only the stream that used one is waited for.
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
  float* staging;  // a piece for each stream
  cudaMallocHost(&staging, 2 * length * sizeof(float));
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * length;
    const cudaStream_t stream = streams[piece % 2];
    float* const mine = staging + piece % 2 * length;
    cudaStreamSynchronize(stream);  // the copy before has left this part
    for (int i = 0; i < length; ++i) mine[i] = in[begin + i];
    cudaMemcpyAsync(scratch + begin, mine, length * sizeof(float), cudaMemcpyHostToDevice, stream);
    double_all<<<blocks, 256, 0, stream>>>(scratch + begin, out + begin, length);
  }
  cudaDeviceSynchronize();
  cudaFreeHost(staging);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(scratch);
}
