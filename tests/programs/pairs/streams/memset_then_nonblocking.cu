// cudaMemset() clears the output before a non-blocking stream adds to it.
// WRONG: cudaMemset() of device memory returns before it is done.
// finds: unordered_use
// prints: 100 100 100 100 100 100 100
#include <cstdio>

__global__ void Tally(unsigned* votes, int voters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < voters) atomicInc(&votes[i % 7], 0xffffffffu);
}

int main() {
  unsigned* votes;
  cudaMalloc(&votes, 7 * sizeof(unsigned));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#ifdef WRONG
  cudaMemset(votes, 0, 7 * sizeof(unsigned));  // named
#else
  cudaMemsetAsync(votes, 0, 7 * sizeof(unsigned), stream);
#endif
  Tally<<<6, 128, 0, stream>>>(votes, 700);  // named
  unsigned result[7];
  cudaMemcpyAsync(result, votes, sizeof(result), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (unsigned count : result) printf("%u ", count);
  printf("\n");
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaFree(votes);
}
