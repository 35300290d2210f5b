// The squares are made in one stream and summed in another.
// WRONG: the second stream does not wait for the first.
// finds: unordered_use
// prints: sum right
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)

__global__ void Squares(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}

__global__ void Sum(const int* in, unsigned* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, static_cast<unsigned>(in[i]));
}

int main() {
  const int n = 5000;
  int* squares;
  unsigned* sum;
  CHECK(cudaMalloc(&squares, n * sizeof(int)));
  CHECK(cudaMalloc(&sum, sizeof(unsigned)));
  CHECK(cudaMemset(sum, 0, sizeof(unsigned)));
  cudaStream_t make, add;
  CHECK(cudaStreamCreate(&make));
  CHECK(cudaStreamCreate(&add));
  cudaEvent_t made;
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));

  Squares<<<(n + 255) / 256, 256, 0, make>>>(squares, n);  // named
  CHECK(cudaEventRecord(made, make));
#ifndef WRONG
  CHECK(cudaStreamWaitEvent(add, made, 0));
#endif
  Sum<<<(n + 255) / 256, 256, 0, add>>>(squares, sum, n);  // named

  unsigned result;
  CHECK(cudaMemcpyAsync(&result, sum, sizeof(result), cudaMemcpyDeviceToHost, add));
  CHECK(cudaDeviceSynchronize());
  unsigned expected = 0;
  for (int i = 0; i < n; i++) expected += static_cast<unsigned>(i * i);
  printf("sum %s\n", result == expected ? "right" : "wrong");
  CHECK(cudaEventDestroy(made));
  CHECK(cudaStreamDestroy(make));
  CHECK(cudaStreamDestroy(add));
  CHECK(cudaFree(squares));
  CHECK(cudaFree(sum));
}
