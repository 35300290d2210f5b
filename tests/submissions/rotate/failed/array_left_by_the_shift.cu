// score: 90
// says: and nothing frees them
// The shift does not free its array.
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

cudaArray_t copy_to_array(const float* in, int width, int height) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, in, width * sizeof(float), width * sizeof(float), height,
                      cudaMemcpyDeviceToDevice);
  return array;
}

cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
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
  cudaArray_t array = copy_to_array(in, width, height);
  cudaTextureObject_t image = make_texture(array, cudaAddressModeBorder, cudaFilterModeLinear);
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  rotate_pixels<<<grid, block>>>(image, out, width, height, cosine, sine);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  cudaArray_t array = copy_to_array(in, width, height);
  cudaTextureObject_t image = make_texture(array, cudaAddressModeClamp, cudaFilterModePoint);
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  shift_pixels<<<grid, block>>>(image, out, width, height, dx, dy);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
}
