// score: 100
// Reads the picture through a texture of linear memory, in parts that a texture can hold.
#include <algorithm>

#include "picture.h"

__global__ void brighten(cudaTextureObject_t in, float* out, int count) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    out[i] = 2 * tex1Dfetch<float>(in, i);
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  constexpr size_t kPart = 1 << 26;
  const size_t pixels = static_cast<size_t>(width) * height;
  for (size_t first = 0; first < pixels; first += kPart) {
    const size_t count = std::min(kPart, pixels - first);
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = const_cast<float*>(in + first);
    memory.res.linear.desc = cudaCreateChannelDesc<float>();
    memory.res.linear.sizeInBytes = count * sizeof(float);
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    if (cudaCreateTextureObject(&texture, &memory, &how, nullptr) != cudaSuccess) return;
    const size_t blocks = std::min<size_t>((count + 255) / 256, 2048);
    brighten<<<static_cast<unsigned>(blocks), 256>>>(texture, out + first, static_cast<int>(count));
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
  }
}
