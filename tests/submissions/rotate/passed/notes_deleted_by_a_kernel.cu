// score: 100
// A kernel notes the angle of each call in a list on the device's heap. Another kernel deletes the
// list.
#include "rotate.h"

namespace {

struct Note {
  float angle;
  Note* before;
};
__device__ Note* last = nullptr;

__global__ void TakeNote(float angle) {
  Note* const note = new Note;
  note->angle = angle;
  note->before = last;
  last = note;
}

__global__ void DropNotes() {
  while (last != nullptr) {
    Note* const note = last;
    last = note->before;
    delete note;
  }
}

constexpr int kBlock = 16;  // threads of a block in each direction

// A copy of an image, and the texture object through which kernels fetch from it.
class Image {
 public:
  Image(const float* in, int width, int height, cudaTextureFilterMode filter,
        cudaTextureAddressMode outside) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array_, &format, width, height);
    const size_t row = width * sizeof(float);  // in bytes
    cudaMemcpy2DToArray(array_, 0, 0, in, row, row, height, cudaMemcpyDeviceToDevice);

    cudaResourceDesc pixels = {};
    pixels.resType = cudaResourceTypeArray;
    pixels.res.array.array = array_;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = outside;
    sampling.addressMode[1] = outside;
    sampling.filterMode = filter;
    sampling.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&texture_, &pixels, &sampling, nullptr);
  }

  // Kernels may still be fetching, so the host waits for them first.
  ~Image() {
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
  }

  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  cudaTextureObject_t texture() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

// Texture coordinates begin at the corner of the image: the middle of pixel (x, y) is at
// (x + 0.5, y + 0.5), and the centre of the image is at (width / 2, height / 2).
__global__ void Rotate(cudaTextureObject_t image, float* out, int width, int height, float cosine,
                       float sine) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const float right = x + 0.5F - 0.5F * width;  // from the centre
  const float down = y + 0.5F - 0.5F * height;
  const float from_x = 0.5F * width + cosine * right - sine * down;
  const float from_y = 0.5F * height + sine * right + cosine * down;
  out[y * width + x] = tex2D<float>(image, from_x, from_y);
}

__global__ void Shift(cudaTextureObject_t image, float* out, int width, int height, int dx,
                      int dy) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  out[y * width + x] = tex2D<float>(image, x - dx + 0.5F, y - dy + 0.5F);
}

dim3 GridFor(int width, int height) {
  return {(width + kBlock - 1U) / kBlock, (height + kBlock - 1U) / kBlock};
}

}  // namespace

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const Image image(in, width, height, cudaFilterModeLinear, cudaAddressModeBorder);
  TakeNote<<<1, 1>>>(sine);
  Rotate<<<GridFor(width, height), dim3(kBlock, kBlock)>>>(image.texture(), out, width, height,
                                                           cosine, sine);
  DropNotes<<<1, 1>>>();
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  const Image image(in, width, height, cudaFilterModePoint, cudaAddressModeClamp);
  Shift<<<GridFor(width, height), dim3(kBlock, kBlock)>>>(image.texture(), out, width, height, dx,
                                                          dy);
}
