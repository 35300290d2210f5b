// A vector of pageable memory is copied to the device, and filled again for the next round.
// WRONG: the host fills it while cudaMemcpyAsync() may still be reading it.
// finds: unpromised_order
// prints: 30000
#include <cstdio>
#include <vector>

__global__ void Sum(const int* in, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out, in[i]);
}

int main() {
  const int n = 10000, rounds = 3;
  int *in[rounds], *out, result;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&out, sizeof(int));
  cudaMemsetAsync(out, 0, sizeof(int), stream);
  std::vector<int> values(n);
  for (int round = 0; round < rounds; round++) {
    for (int& value : values) {
      value = round;  // named
    }
    cudaMalloc(&in[round], n * sizeof(int));
    cudaMemcpyAsync(in[round], values.data(), n * sizeof(int), cudaMemcpyHostToDevice,  // named
                    stream);
#ifndef WRONG
    cudaStreamSynchronize(stream);
#endif
    Sum<<<1, 128, 0, stream>>>(in[round], out, n);
  }
  cudaMemcpyAsync(&result, out, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", result);
  for (int* p : in) cudaFree(p);
  cudaFree(out);
  cudaStreamDestroy(stream);
}
