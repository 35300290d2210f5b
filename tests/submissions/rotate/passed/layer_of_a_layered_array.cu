// score: 100
// The image is the only layer of a layered array, which a copy in three dimensions fills. Kernels
// fetch by tex2DLayered. The vertical coordinate grows along blockIdx.z, so that no grid has more
// than a few blocks in y.
#include "rotate.h"

#define OK(call) \
  if ((call) != cudaSuccess) return

struct Layered {
  cudaArray_t array;
  cudaTextureObject_t texture;
};

static void make(Layered& image, const float* in, int width, int height, bool linear) {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  OK(cudaMalloc3DArray(&image.array, &desc, make_cudaExtent(width, height, 1), cudaArrayLayered));
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<float*>(in), width * sizeof(float), width, height);
  copy.dstArray = image.array;
  copy.extent = make_cudaExtent(width, height, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = image.array;
  cudaTextureDesc tex = {};
  tex.addressMode[0] = tex.addressMode[1] = linear ? cudaAddressModeBorder : cudaAddressModeClamp;
  tex.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  tex.readMode = cudaReadModeElementType;
  OK(cudaCreateTextureObject(&image.texture, &res, &tex, NULL));
}

static void destroy(Layered& image) {
  OK(cudaDeviceSynchronize());
  OK(cudaDestroyTextureObject(image.texture));
  OK(cudaFreeArray(image.array));
}

__device__ bool place(int width, int height, int& x, int& y) {
  x = blockIdx.x * blockDim.x + threadIdx.x;
  y = (blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
  return x < width && y < height;
}

__global__ void rotate_layer(cudaTextureObject_t tex, float* out, int width, int height, float c,
                             float s) {
  int x, y;
  if (!place(width, height, x, y)) return;
  const float cx = (width - 1) * 0.5f, cy = (height - 1) * 0.5f;
  const float u = fmaf(c, x - cx, fmaf(-s, y - cy, cx)) + 0.5f;
  const float v = fmaf(s, x - cx, fmaf(c, y - cy, cy)) + 0.5f;
  out[y * width + x] = tex2DLayered<float>(tex, u, v, 0);
}

__global__ void shift_layer(cudaTextureObject_t tex, float* out, int width, int height, int dx,
                            int dy) {
  int x, y;
  if (place(width, height, x, y)) {
    out[y * width + x] = tex2DLayered<float>(tex, x - dx + 0.5f, y - dy + 0.5f, 0);
  }
}

static dim3 grid_of(int width, int height, dim3 block) {
  const unsigned rows = (height + block.y - 1) / block.y;
  return dim3((width + block.x - 1) / block.x, 2, (rows + 1) / 2);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  Layered image = {};
  make(image, in, width, height, true);
  const dim3 block(32, 6);
  rotate_layer<<<grid_of(width, height, block), block>>>(image.texture, out, width, height, cosine,
                                                         sine);
  destroy(image);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  Layered image = {};
  make(image, in, width, height, false);
  const dim3 block(16, 10);
  shift_layer<<<grid_of(width, height, block), block>>>(image.texture, out, width, height, dx, dy);
  destroy(image);
}
