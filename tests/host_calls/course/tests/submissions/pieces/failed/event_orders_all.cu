// score: 85
// says: no copy can overlap with a kernel
// Each piece waits for an event after the piece before, although it needs nothing of it.
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
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaHostRegister(in, n * sizeof(float), cudaHostRegisterDefault);
  for (int piece = 0; piece < pieces; ++piece) {
    const int begin = piece * length;
    const cudaStream_t stream = streams[piece % 2];
    if (piece > 0) cudaStreamWaitEvent(stream, done, 0);
    cudaMemcpyAsync(scratch + begin, in + begin, length * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    double_all<<<blocks, 256, 0, stream>>>(scratch + begin, out + begin, length);
    cudaEventRecord(done, stream);
  }
  cudaDeviceSynchronize();
  cudaEventDestroy(done);
  cudaHostUnregister(in);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(scratch);
}
