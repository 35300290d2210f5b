// A lookup table is read through a texture of linear memory.
// WRONG: a memset in another stream clears the table while the kernel may read it.
// finds: unordered_use
// prints: 11
#include <cstdio>
#include <vector>

__global__ void Lookup(cudaTextureObject_t table, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<int>(table, i % 100);
}

int main() {
  const int n = 1000;
  int *table, *out;
  cudaMalloc(&table, 128 * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  std::vector<int> values(128, 11);
  cudaMemcpy(table, values.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = table;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 128 * sizeof(int);
  cudaTextureDesc how{};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  Lookup<<<4, 256, 0, s>>>(texture, out, n);  // named
#ifndef WRONG
  cudaStreamSynchronize(s);
#endif
  cudaMemsetAsync(table, 0, 128 * sizeof(int), t);  // named
  cudaDeviceSynchronize();
  int result;
  cudaMemcpy(&result, out + 999, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaDestroyTextureObject(texture);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(table);
  cudaFree(out);
}
