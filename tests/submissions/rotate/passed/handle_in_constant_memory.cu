// score: 100
// The texture object lies in constant memory, in a struct with the size of the image; kernels get
// nothing but the result and the turn. Points are complex numbers with operators, and a turn is a
// product. Blocks have 96 x 2 threads.
#include "rotate.h"

struct Complex {
  float re, im;
  friend __device__ Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend __device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend __device__ Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
};

struct Image {
  cudaTextureObject_t texture;
  int width, height;

  __device__ float operator[](Complex pixel) const {
    return tex2D<float>(texture, pixel.re + 0.5f, pixel.im + 0.5f);
  }
  __device__ Complex centre() const { return {(width - 1) / 2.0f, (height - 1) / 2.0f}; }
};

__constant__ Image image;

__device__ bool my_pixel(int& x, int& y) {
  x = blockIdx.x * 96 + threadIdx.x;
  y = blockIdx.y * 2 + threadIdx.y;
  return x < image.width && y < image.height;
}

__global__ void turn_pixels(float* out, Complex by) {
  int x, y;
  if (!my_pixel(x, y)) return;
  const Complex here = {static_cast<float>(x), static_cast<float>(y)};
  out[y * image.width + x] = image[image.centre() + by * (here - image.centre())];
}

__global__ void shift_pixels(float* out, int2 by) {
  int x, y;
  if (!my_pixel(x, y)) return;
  out[y * image.width + x] = image[{static_cast<float>(x - by.x), static_cast<float>(y - by.y)}];
}

// Makes the image for the time of its life.
struct Scope {
  cudaArray_t array = nullptr;
  Image made;
  dim3 grid;

  Scope(const float* in, int width, int height, bool turns) : made{0, width, height} {
    const cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &d, width, height);
    cudaMemcpy2DToArray(array, 0, 0, in, 4ul * width, 4ul * width, height,
                        cudaMemcpyDeviceToDevice);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc t = {};
    t.filterMode = turns ? cudaFilterModeLinear : cudaFilterModePoint;
    t.addressMode[0] = t.addressMode[1] = turns ? cudaAddressModeBorder : cudaAddressModeClamp;
    cudaCreateTextureObject(&made.texture, &r, &t, nullptr);
    cudaMemcpyToSymbol(image, &made, sizeof made);
    grid = dim3((width - 1) / 96 + 1, (height - 1) / 2 + 1);
  }
  ~Scope() {
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(made.texture);
    cudaFreeArray(array);
  }
};

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const Scope scope(in, width, height, true);
  turn_pixels<<<scope.grid, dim3(96, 2)>>>(out, {cosine, sine});
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  const Scope scope(in, width, height, false);
  shift_pixels<<<scope.grid, dim3(96, 2)>>>(out, {dx, dy});
}
