// score: 60
// says: let many blocks share the work
// The grid has a block for 16 x 16 pixels, but the first block goes through the whole image.
#include "rotate.h"

__global__ void turn(cudaTextureObject_t image, float* out, int width, int height, float cosine,
                     float sine) {
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      const float right = x + 0.5F - 0.5F * width, down = y + 0.5F - 0.5F * height;
      out[y * width + x] = tex2D<float>(image, 0.5F * width + cosine * right - sine * down,
                                        0.5F * height + sine * right + cosine * down);
    }
  }
}

__global__ void shift(cudaTextureObject_t image, float* out, int width, int height, int dx,
                      int dy) {
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      out[y * width + x] = tex2D<float>(image, x - dx + 0.5F, y - dy + 0.5F);
    }
  }
}

struct Image {
  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;

  Image(const float* in, int width, int height, cudaTextureFilterMode filter,
        cudaTextureAddressMode outside) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, width, height);
    const size_t row = width * sizeof(float);
    cudaMemcpy2DToArray(array, 0, 0, in, row, row, height, cudaMemcpyDeviceToDevice);
    cudaResourceDesc pixels = {};
    pixels.resType = cudaResourceTypeArray;
    pixels.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = outside;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&texture, &pixels, &how, nullptr);
  }
  ~Image() {
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
};

dim3 grid_for(int width, int height) { return dim3((width + 15) / 16, (height + 15) / 16); }

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const Image image(in, width, height, cudaFilterModeLinear, cudaAddressModeBorder);
  turn<<<grid_for(width, height), dim3(16, 16)>>>(image.texture, out, width, height, cosine, sine);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  const Image image(in, width, height, cudaFilterModePoint, cudaAddressModeClamp);
  shift<<<grid_for(width, height), dim3(16, 16)>>>(image.texture, out, width, height, dx, dy);
}
