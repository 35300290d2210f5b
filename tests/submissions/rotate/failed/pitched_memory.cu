// score: 85
// says: pitched memory
// The image is copied to rows of plain memory. The fetches along a slope need more sectors there
// than in an array.
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
  float* copy;
  size_t pitch;
  cudaMallocPitch(&copy, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(copy, pitch, in, width * sizeof(float), width * sizeof(float), height, cudaMemcpyDeviceToDevice);
  cudaTextureObject_t image = over_rows(copy, pitch, width, height, cudaAddressModeBorder, cudaFilterModeLinear);
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  rotate_pixels<<<grid, block>>>(image, out, width, height, cosine, sine);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFree(copy);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  float* copy;
  size_t pitch;
  cudaMallocPitch(&copy, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(copy, pitch, in, width * sizeof(float), width * sizeof(float), height, cudaMemcpyDeviceToDevice);
  cudaTextureObject_t image = over_rows(copy, pitch, width, height, cudaAddressModeClamp, cudaFilterModePoint);
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  shift_pixels<<<grid, block>>>(image, out, width, height, dx, dy);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFree(copy);
}
