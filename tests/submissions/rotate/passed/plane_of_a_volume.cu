// score: 100
// For the shift the image is a plane of a volume, a three-dimensional array whose depth is 1, which
// tex3D reads at its middle; its rows are stored upside down. The rotation makes an array of two
// dimensions by the same function, whose depth is 0, and four lanes have a square of 2 x 2 pixels.
#include "rotate.h"

namespace volume {

struct Volume {
  cudaArray_t array;
  cudaTextureObject_t object;
};

Volume Make(const float* in, int width, int height, bool linear, bool upside_down) {
  Volume volume{};
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&volume.array, &desc, make_cudaExtent(width, height, linear ? 0 : 1));
  for (int row = 0; row < (upside_down ? height : 1); ++row) {
    cudaMemcpy3DParms copy{};
    const int rows = upside_down ? 1 : height;
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(in) + static_cast<size_t>(row) * width,
                                      width * sizeof(float), width, rows);
    copy.dstArray = volume.array;
    copy.dstPos = make_cudaPos(0, upside_down ? height - 1 - row : 0, 0);
    copy.extent = make_cudaExtent(width, rows, 1);
    copy.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&copy);
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = volume.array;
  cudaTextureDesc texture{};
  texture.addressMode[0] = linear ? cudaAddressModeBorder : cudaAddressModeClamp;
  texture.addressMode[1] = texture.addressMode[0];
  texture.addressMode[2] = cudaAddressModeClamp;
  texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaCreateTextureObject(&volume.object, &resource, &texture, nullptr);
  return volume;
}

void Free(Volume& volume) {
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(volume.object);
  cudaFreeArray(volume.array);
}

__global__ void Turn(cudaTextureObject_t image, float* out, int width, int height, float cosine,
                     float sine) {
  const int t = threadIdx.y * 16 + threadIdx.x;
  const int x = blockIdx.x * 16 + (t >> 2 & 7) * 2 + (t & 1);
  const int y = blockIdx.y * 16 + (t >> 5) * 2 + (t >> 1 & 1);
  if (x >= width || y >= height) return;
  const float from_middle_x = x - 0.5F * (width - 1), from_middle_y = y - 0.5F * (height - 1);
  const float u = cosine * from_middle_x - sine * from_middle_y + 0.5F * width;
  const float v = sine * from_middle_x + cosine * from_middle_y + 0.5F * height;
  out[y * width + x] = tex2D<float>(image, u, v);
}

__global__ void Move(cudaTextureObject_t image, float* out, int width, int height, int dx, int dy) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = tex3D<float>(image, x - dx + 0.5F, height - 1 - (y - dy) + 0.5F, 0.5F);
}

}  // namespace volume

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  volume::Volume image = volume::Make(in, width, height, true, false);
  volume::Turn<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(
      image.object, out, width, height, cosine, sine);
  volume::Free(image);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  volume::Volume image = volume::Make(in, width, height, false, true);
  volume::Move<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(
      image.object, out, width, height, dx, dy);
  volume::Free(image);
}
