// score: 100
// The shift treats pixels as 32 bits: a texture of unsigned numbers, whose bits are stored as they
// are. The rotation fetches floats and stores whole vectors: a block collects its pixels in shared
// memory and each thread stores a float4, where the width allows it.
#include <algorithm>

#include "rotate.h"

namespace {

template <class T>
cudaArray_t ArrayOf(const void* in, int width, int height) {
  cudaArray_t array;
  const auto format = cudaCreateChannelDesc<T>();
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, in, width * sizeof(T), width * sizeof(T), height,
                      cudaMemcpyDeviceToDevice);
  return array;
}

cudaTextureObject_t TextureOf(cudaArray_t array, cudaTextureFilterMode filter,
                              cudaTextureAddressMode mode) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  std::fill_n(texture.addressMode, 3, mode);
  texture.filterMode = filter;
  texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  return object;
}

constexpr int kWide = 32, kHigh = 8;

__global__ void RotateVectors(cudaTextureObject_t image, float* out, int width, int height,
                              float cosine, float sine) {
  __shared__ float4 collected[kHigh][kWide / 4];
  const int left = blockIdx.x * kWide, top = blockIdx.y * kHigh;
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  // Twice the distance from the centre is a whole number.
  const float right = 0.5F * static_cast<float>(2 * x - (width - 1));
  const float down = 0.5F * static_cast<float>(2 * y - (height - 1));
  const float u = 0.5F * static_cast<float>(width) + cosine * right - sine * down;
  const float v = 0.5F * static_cast<float>(height) + sine * right + cosine * down;
  reinterpret_cast<float*>(collected[threadIdx.y])[threadIdx.x] = tex2D<float>(image, u, v);
  __syncthreads();
  const int thread = threadIdx.y * kWide + threadIdx.x;
  if (width % 4 == 0) {
    const int row = thread / (kWide / 4), column = left + thread % (kWide / 4) * 4;
    if (row < kHigh && top + row < height && column < width) {
      const size_t at = static_cast<size_t>(top + row) * width + column;
      *reinterpret_cast<float4*>(out + at) = collected[row][thread % (kWide / 4)];
    }
  } else if (x < width && y < height) {
    out[static_cast<size_t>(y) * width + x] =
        reinterpret_cast<float*>(collected[threadIdx.y])[threadIdx.x];
  }
}

__global__ void ShiftBits(cudaTextureObject_t bits, unsigned* out, int width, int height, int dx,
                          int dy) {
  const int pixels = width * height;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    const int x = i % width - dx, y = i / width - dy;
    out[i] = tex2D<unsigned>(bits, x + 0.5F, y + 0.5F);
  }
}

}  // namespace

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const cudaArray_t array = ArrayOf<float>(in, width, height);
  const auto image = TextureOf(array, cudaFilterModeLinear, cudaAddressModeBorder);
  const dim3 grid((width - 1) / kWide + 1, (height - 1) / kHigh + 1);
  RotateVectors<<<grid, dim3(kWide, kHigh)>>>(image, out, width, height, cosine, sine);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  const cudaArray_t array = ArrayOf<unsigned>(in, width, height);
  const auto bits = TextureOf(array, cudaFilterModePoint, cudaAddressModeClamp);
  const int blocks = std::min((width * height - 1) / 448 + 1, 700);
  ShiftBits<<<blocks, 224>>>(bits, reinterpret_cast<unsigned*>(out), width, height, dx, dy);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(bits);
  cudaFreeArray(array);
}
