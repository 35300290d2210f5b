// score: 100
// Both functions clamp. For the rotation, whose outside is 0, a frame of zeros lies around the
// image in the array, two pixels on each side, so that clamping finds nothing but zeros.
#include "rotate.h"

constexpr int kFrame = 2;

struct Image {
  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;
};

static Image framed(const float* in, int width, int height, int frame) {
  Image image;
  const int w = width + 2 * frame, h = height + 2 * frame;
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMallocArray(&image.array, &f, w, h);
  if (frame > 0) {
    float* zeros = nullptr;
    cudaMalloc(&zeros, static_cast<size_t>(w) * h * sizeof(float));
    cudaMemset(zeros, 0, static_cast<size_t>(w) * h * sizeof(float));
    cudaMemcpy2DToArray(image.array, 0, 0, zeros, w * sizeof(float), w * sizeof(float), h,
                        cudaMemcpyDeviceToDevice);
    cudaFree(zeros);
  }
  cudaMemcpy2DToArray(image.array, frame * sizeof(float), frame, in, width * sizeof(float),
                      width * sizeof(float), height, cudaMemcpyDeviceToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = image.array;
  cudaTextureDesc t = {};
  t.addressMode[0] = cudaAddressModeClamp;
  t.addressMode[1] = cudaAddressModeClamp;
  t.filterMode = frame > 0 ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaCreateTextureObject(&image.texture, &r, &t, 0);
  return image;
}

static void release(const Image& image) {
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image.texture);
  cudaFreeArray(image.array);
}

// The point (x, y) of the result is origin + x * along_x + y * along_y in the texture.
struct Plane {
  float2 origin, along_x, along_y;
};

__global__ void sample(cudaTextureObject_t texture, float* out, int width, int height,
                       Plane plane) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int y = blockIdx.y * 4 + threadIdx.y; y < height; y += gridDim.y * 4) {
    if (x >= width) continue;
    const float u = plane.origin.x + plane.along_x.x * x + plane.along_y.x * y;
    const float v = plane.origin.y + plane.along_x.y * x + plane.along_y.y * y;
    out[y * width + x] = tex2D<float>(texture, u, v);
  }
}

static void sample_all(const Image& image, float* out, int width, int height, const Plane& plane) {
  const dim3 grid((width + 31) / 32, height < 4 * 4000 ? (height + 3) / 4 : 4000);
  sample<<<grid, dim3(32, 4)>>>(image.texture, out, width, height, plane);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const Image image = framed(in, width, height, kFrame);
  const double cx = (width - 1) / 2.0, cy = (height - 1) / 2.0;
  const Plane plane = {
      {static_cast<float>(cx - cosine * cx + sine * cy + 0.5 + kFrame),
       static_cast<float>(cy - sine * cx - cosine * cy + 0.5 + kFrame)},
      {cosine, sine},
      {-sine, cosine}};
  sample_all(image, out, width, height, plane);
  release(image);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  const Image image = framed(in, width, height, 0);
  sample_all(image, out, width, height, {{0.5f - dx, 0.5f - dy}, {1, 0}, {0, 1}});
  release(image);
}
