// score: 100
// A thread has four pixels, one below the other, which it fetches before it stores any. The image
// goes through managed memory to its array. Kernels are launched by cudaLaunchKernelExC, with an
// array of argument pointers.
#include "rotate.h"

namespace {

constexpr int kRows = 4;

__global__ void FourOfRotation(cudaTextureObject_t image, float* out, int width, int height,
                               float cosine, float sine) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int first = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * kRows;
  if (x >= width) return;
  const float h = 0.5f * (height - 1), w = 0.5f * (width - 1);
  float pixels[kRows];
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const float dx = x - w, dy = first + k - h;
    pixels[k] = tex2D<float>(image, w + cosine * dx - sine * dy + 0.5f,
                             h + sine * dx + cosine * dy + 0.5f);
  }
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    if (first + k < height) out[static_cast<size_t>(first + k) * width + x] = pixels[k];
  }
}

__global__ void FourOfShift(cudaTextureObject_t image, float* out, int width, int height, int dx,
                            int dy) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int first = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * kRows;
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const float pixel = tex2D<float>(image, x - dx + 0.5f, first + k - dy + 0.5f);
    if (x < width && first + k < height) {
      out[static_cast<size_t>(first + k) * width + x] = pixel;
    }
  }
}

void Perform(const void* kernel, const float* in, int width, int height,
             cudaTextureFilterMode filter, cudaTextureAddressMode address, void* (&arguments)[6]) {
  const size_t bytes = sizeof(float) * width * height;
  float* staged = nullptr;
  cudaMallocManaged(&staged, bytes);
  cudaMemcpy(staged, in, bytes, cudaMemcpyDefault);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, staged, width * sizeof(float), width * sizeof(float), height,
                      cudaMemcpyDefault);
  cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
  resource.res.array.array = array;
  cudaTextureDesc texture = {.addressMode = {address, address}, .filterMode = filter};
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &texture, nullptr);
  arguments[0] = &image;
  cudaLaunchConfig_t config = {};
  config.blockDim = dim3(32, 3);
  config.gridDim = dim3((width + 31) / 32, (height + 3 * kRows - 1) / (3 * kRows));
  cudaLaunchKernelExC(&config, kernel, arguments);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFree(staged);
}

}  // namespace

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  void* arguments[] = {nullptr, &out, &width, &height, &cosine, &sine};
  Perform(reinterpret_cast<const void*>(FourOfRotation), in, width, height, cudaFilterModeLinear,
          cudaAddressModeBorder, arguments);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  void* arguments[] = {nullptr, &out, &width, &height, &dx, &dy};
  Perform(reinterpret_cast<const void*>(FourOfShift), in, width, height, cudaFilterModePoint,
          cudaAddressModeClamp, arguments);
}
