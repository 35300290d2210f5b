// Pageable memory may be changed as soon as cudaMemcpyAsync() returns: it was copied to a staging
// buffer. A vector goes out of scope right after its copy.
// prints: 3000
#include <cstdio>
#include <vector>

__global__ void Sum(const int* in, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out, in[i]);
}

int main() {
  const int n = 1000, rounds = 3;
  int *in[rounds], *out, result;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&out, sizeof(int));
  cudaMemsetAsync(out, 0, sizeof(int), stream);
  for (int round = 0; round < rounds; round++) {
    std::vector<int> values(n, round);
    cudaMalloc(&in[round], n * sizeof(int));
    cudaMemcpyAsync(in[round], values.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
    values.assign(n, -1);
    Sum<<<1, 128, 0, stream>>>(in[round], out, n);
  }
  cudaMemcpyAsync(&result, out, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", result);
  for (int* p : in) cudaFree(p);
  cudaFree(out);
  cudaStreamDestroy(stream);
}
