// score: 100
// Blocks and grids have one dimension. A warp has 8 x 4 pixels, in which four neighbouring lanes
// are a square of 2 x 2, and a block walks from warp tile to warp tile. The fetch is PTX.
#include "rotate.h"

namespace {

struct Texture {
  cudaArray_t array = nullptr;
  cudaTextureObject_t object = 0;

  Texture(const float* in, int width, int height, cudaTextureFilterMode filter,
          cudaTextureAddressMode address) {
    cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaMallocArray(&array, &floats, width, height, cudaArrayDefault);
    const size_t pitch = static_cast<size_t>(width) * 4;
    cudaMemcpy2DToArrayAsync(array, 0, 0, in, pitch, pitch, height, cudaMemcpyDeviceToDevice);
    cudaResourceDesc from{};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = address;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 0;
    cudaCreateTextureObject(&object, &from, &how, nullptr);
  }
  ~Texture() {
    cudaDestroyTextureObject(object);
    cudaFreeArray(array);
  }
};

__device__ float Fetch(cudaTextureObject_t object, float x, float y) {
  float value;
  [[maybe_unused]] float g, b, a;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(value), "=f"(g), "=f"(b), "=f"(a)
               : "l"(object), "f"(x), "f"(y));
  return value;
}

struct Pixel {
  int x, y;
};

// Calls work(pixel) for the pixels of this thread.
template <class Work>
__device__ void ForPixels(int width, int height, Work work) {
  const unsigned lane = threadIdx.x % 32;
  const Pixel inside = {static_cast<int>((lane >> 2 & 3) * 2 + (lane & 1)),
                        static_cast<int>((lane >> 4) * 2 + (lane >> 1 & 1))};
  const int across = (width + 7) / 8;
  const int tiles = across * ((height + 3) / 4);
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32; tile < tiles; tile += warps) {
    const Pixel pixel = {tile % across * 8 + inside.x, tile / across * 4 + inside.y};
    if (pixel.x < width && pixel.y < height) work(pixel);
  }
}

__global__ void Turn(cudaTextureObject_t image, float* out, int width, int height, float c,
                     float s) {
  ForPixels(width, height, [=](Pixel to) {
    const float x = to.x - 0.5f * (width - 1), y = to.y - 0.5f * (height - 1);
    out[static_cast<size_t>(to.y) * width + to.x] =
        Fetch(image, 0.5f * width + (c * x - s * y), 0.5f * height + (s * x + c * y));
  });
}

__global__ void Move(cudaTextureObject_t image, float* out, int width, int height, int dx, int dy) {
  ForPixels(width, height, [=](Pixel to) {
    out[static_cast<size_t>(to.y) * width + to.x] =
        Fetch(image, static_cast<float>(to.x - dx) + 0.5f, static_cast<float>(to.y - dy) + 0.5f);
  });
}

int Blocks(int width, int height) {
  const int tiles = ((width + 7) / 8) * ((height + 3) / 4);
  return (tiles + 4) / 5;
}

}  // namespace

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const Texture image(in, width, height, cudaFilterModeLinear, cudaAddressModeBorder);
  Turn<<<Blocks(width, height), 160>>>(image.object, out, width, height, cosine, sine);
  cudaDeviceSynchronize();
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  const Texture image(in, width, height, cudaFilterModePoint, cudaAddressModeClamp);
  Move<<<Blocks(width, height), 160>>>(image.object, out, width, height, dx, dy);
  cudaDeviceSynchronize();
}
