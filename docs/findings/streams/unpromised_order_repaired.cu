#include <cstdio>
#include <vector>

__device__ int sum;
__global__ void AddUp(const int* in) { atomicAdd(&sum, in[threadIdx.x]); }

int main() {
  std::vector<int> host(256, 1);
  int *in, result;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(in, host.data(), 256 * sizeof(int), cudaMemcpyHostToDevice, stream);
  AddUp<<<1, 256, 0, stream>>>(in);
  cudaStreamSynchronize(stream);
  cudaMemcpyFromSymbol(&result, sum, sizeof(int));
  printf("%d\n", result);
  cudaStreamDestroy(stream);
  cudaFree(in);
}
