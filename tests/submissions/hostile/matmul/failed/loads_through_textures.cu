// score: 55
// says: sectors moved
// The program uses no tiles. It loads every factor through texture objects, ten times each, and
// these fetches count as loads. A factor that all lanes need is looked up by each group of eight.
#include <algorithm>

#include "matmul.h"

__global__ void multiply(cudaTextureObject_t a, cudaTextureObject_t b, float* c, int m, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  for (int i = blockIdx.y; i < m; i += gridDim.y) {
    float sum = 0;
    for (int p = 0; p < k; ++p) sum += tex1Dfetch<float>(a, i * k + p) * tex1Dfetch<float>(b, p * n + j);
    c[i * n + j] = sum;
  }
}

cudaTextureObject_t TextureOver(const float* elements, size_t count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(elements);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = count * sizeof(float);
  cudaTextureDesc fetch = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &fetch, nullptr);
  return texture;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const cudaTextureObject_t ta = TextureOver(a, size_t{1} * m * k);
  const cudaTextureObject_t tb = TextureOver(b, size_t{1} * k * n);
  multiply<<<dim3((n + 31) / 32, std::min(m, 60'000)), 32>>>(ta, tb, c, m, n, k);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(ta);
  cudaDestroyTextureObject(tb);
}
