// score: 0
// says: whose pitch is not a multiple of 32 bytes
// The texture lies over the input itself, whose rows need not begin at a multiple of 32 bytes. Then
// the object is refused.
#include "rotate.h"

__global__ void rotate_pixels(cudaTextureObject_t image, float* out, int width, int height, float cosine, float sine) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float cx = (width - 1) / 2.0f;
  float cy = (height - 1) / 2.0f;
  float u = cx + cosine * (x - cx) - sine * (y - cy);
  float v = cy + sine * (x - cx) + cosine * (y - cy);
  out[y * width + x] = tex2D<float>(image, u + 0.5f, v + 0.5f);
}

__global__ void shift_pixels(cudaTextureObject_t image, float* out, int width, int height, int dx, int dy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = tex2D<float>(image, x - dx + 0.5f, y - dy + 0.5f);
}

cudaTextureObject_t over_rows(float* rows, size_t pitch, int width, int height, cudaTextureAddressMode mode, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc how = {};
  how.addressMode[0] = mode;
  how.addressMode[1] = mode;
  how.filterMode = filter;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  cudaTextureObject_t image = over_rows(const_cast<float*>(in), width * sizeof(float), width, height, cudaAddressModeBorder, cudaFilterModeLinear);
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  rotate_pixels<<<grid, block>>>(image, out, width, height, cosine, sine);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  cudaTextureObject_t image = over_rows(const_cast<float*>(in), width * sizeof(float), width, height, cudaAddressModeClamp, cudaFilterModePoint);
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  shift_pixels<<<grid, block>>>(image, out, width, height, dx, dy);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
}
