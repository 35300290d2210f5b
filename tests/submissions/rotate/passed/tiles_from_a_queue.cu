// score: 100
// Forty-eight blocks stay and draw tiles of 16 x 16 pixels by a counter in memory that
// cudaMallocAsync gives; unique_ptr with a deleter frees what a call has made, in the right order.
#include <cstring>
#include <memory>
#include <type_traits>

#include "rotate.h"

namespace owned {

struct FreeArray {
  void operator()(cudaArray_t array) const { cudaFreeArray(array); }
};
using Array = std::unique_ptr<std::remove_pointer_t<cudaArray_t>, FreeArray>;

class Texture {
 public:
  Texture(cudaArray_t array, bool smooth) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc;
    memset(&desc, 0, sizeof(desc));
    for (auto& mode : desc.addressMode) mode = smooth ? cudaAddressModeBorder : cudaAddressModeClamp;
    desc.filterMode = smooth ? cudaFilterModeLinear : cudaFilterModePoint;
    cudaCreateTextureObject(&object_, &resource, &desc, nullptr);
  }
  ~Texture() { cudaDestroyTextureObject(object_); }
  Texture(Texture&&) = delete;
  cudaTextureObject_t get() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
};

Array copy_of(const float* in, int width, int height) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, in, width * sizeof(float), width * sizeof(float), height,
                      cudaMemcpyDeviceToDevice);
  return Array(array);
}

struct Turn {
  float cosine, sine, cx, cy;
  __device__ float2 operator()(int x, int y) const {
    const float2 d = {x - cx, y - cy};
    return {cx + cosine * d.x - sine * d.y + 0.5F, cy + sine * d.x + cosine * d.y + 0.5F};
  }
};

struct Move {
  int dx, dy;
  __device__ float2 operator()(int x, int y) const { return {x - dx + 0.5F, y - dy + 0.5F}; }
};

template <class Source>
__global__ void draw_tiles(cudaTextureObject_t image, float* out, int width, int height,
                           Source source, unsigned* next) {
  __shared__ unsigned drawn;
  const unsigned across = (width + 15) / 16;
  const unsigned tiles = across * ((height + 15) / 16);
  const int column = threadIdx.x & 15, row = threadIdx.x >> 4;
  do {
    if (threadIdx.x == 0) drawn = atomicAdd(next, 1);
    __syncthreads();
    const unsigned tile = drawn;
    __syncthreads();
    if (tile >= tiles) return;
    const int x = tile % across * 16 + column;
    const int y = tile / across * 16 + row;
    if (x < width && y < height) {
      const float2 from = source(x, y);
      out[y * width + x] = tex2D<float>(image, from.x, from.y);
    }
  } while (true);
}

template <class Source>
void run(const float* in, float* out, int width, int height, const Source& source, bool smooth) {
  const Array array = copy_of(in, width, height);
  const Texture texture(array.get(), smooth);
  unsigned* next = nullptr;
  cudaMallocAsync(&next, sizeof(unsigned), cudaStreamLegacy);
  cudaMemsetAsync(next, 0, sizeof(unsigned), cudaStreamLegacy);
  const int tiles = ((width + 15) / 16) * ((height + 15) / 16);
  draw_tiles<<<min(tiles, 48), 256>>>(texture.get(), out, width, height, source, next);
  cudaFreeAsync(next, cudaStreamLegacy);
  cudaStreamSynchronize(cudaStreamLegacy);
}

}  // namespace owned

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  owned::run(in, out, width, height,
             owned::Turn{cosine, sine, (width - 1) / 2.0F, (height - 1) / 2.0F}, true);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  owned::run(in, out, width, height, owned::Move{dx, dy}, false);
}
