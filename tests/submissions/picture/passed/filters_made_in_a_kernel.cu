// score: 100
// A kernel makes an object with a virtual function by `new`, a second one uses it, and a third one
// deletes it.
#include "picture.h"

class Filter {
 public:
  __device__ virtual ~Filter() {}
  __device__ virtual float Apply(float pixel) const = 0;
};

class Gain : public Filter {
 public:
  __device__ explicit Gain(float gain) : gain_(gain) {}
  __device__ float Apply(float pixel) const override { return gain_ * pixel; }

 private:
  float gain_;
};

class WithItself : public Filter {
 public:
  __device__ float Apply(float pixel) const override { return pixel + pixel; }
};

__device__ Filter* filter;

__global__ void make_filter(bool gain) {
  if (gain) {
    filter = new Gain(2);
  } else {
    filter = new WithItself;
  }
}

__global__ void apply_filter(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  for (int y = blockIdx.y; y < height; y += gridDim.y) {
    const size_t pixel = static_cast<size_t>(y) * width + x;
    out[pixel] = filter->Apply(in[pixel]);
  }
}

__global__ void delete_filter() {
  delete filter;
  filter = nullptr;
}

void scale_picture(const float* in, float* out, int width, int height) {
  make_filter<<<1, 1>>>(width % 2 == 0);
  apply_filter<<<dim3((width + 127) / 128, height < 1000 ? height : 1000), 128>>>(in, out, width,
                                                                                  height);
  delete_filter<<<1, 1>>>();
}
