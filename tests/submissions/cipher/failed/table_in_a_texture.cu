// score: 60
// says: copy the table to shared memory
// The table is read by a texture of linear memory, whose fetches move as many sectors as loads.
#include "cipher.h"

__global__ void replace(const int* text, cudaTextureObject_t table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<int>(table, text[i]);
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<int*>(table);
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = letters * sizeof(int);
  cudaTextureDesc texture = {};
  texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t object;
  cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  replace<<<(n + 255) / 256, 256>>>(text, object, out, n);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(object);
}
