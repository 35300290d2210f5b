// A kernel of the default stream prepares data for a stream.
// WRONG: the stream is made with cudaStreamNonBlocking and does not wait for the default stream.
// finds: unordered_use
// prints: 9
#include <cassert>
#include <cstdio>

__global__ void Prepare(double* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

__global__ void Root(double* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = sqrt(x[i]);
}

#define SUCCESS(expression)               \
  {                                       \
    const cudaError_t error = expression; \
    assert(error == cudaSuccess);         \
    (void)error;                          \
  }

int main() {
  constexpr int kBlocks = 8, kThreads = 128;
  double* x;
  SUCCESS(cudaMalloc(&x, kBlocks * kThreads * sizeof(double)));
  cudaStream_t stream;
#ifdef WRONG
  SUCCESS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
#else
  SUCCESS(cudaStreamCreateWithFlags(&stream, cudaStreamDefault));
#endif
  Prepare<<<kBlocks, kThreads>>>(x);          // named
  Root<<<kBlocks, kThreads, 0, stream>>>(x);  // named
  SUCCESS(cudaGetLastError());
  double result;
  SUCCESS(cudaStreamSynchronize(stream));
  SUCCESS(cudaMemcpy(&result, x + 81, sizeof(double), cudaMemcpyDeviceToHost));
  printf("%g\n", result);
  SUCCESS(cudaStreamDestroy(stream));
  SUCCESS(cudaFree(x));
}
