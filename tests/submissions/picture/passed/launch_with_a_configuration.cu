// score: 100
// cudaLaunchKernelExC launches an extern "C" kernel with a configuration and a list of arguments,
// in blocks of 33 x 7 threads.
#include "picture.h"

extern "C" __global__ void __launch_bounds__(231, 2)
    scale_in_odd_blocks(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
    if (x < width) {
      const size_t pixel = static_cast<size_t>(y) * width + x;
      out[pixel] = in[pixel] + in[pixel];
    }
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(33, 7);
  config.gridDim = dim3((width + 32) / 33, min((height + 6) / 7, 65'535));
  config.dynamicSmemBytes = 0;
  config.stream = cudaStreamPerThread;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* arguments[] = {&in, &out, &width, &height};
  cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(scale_in_odd_blocks), arguments);
  cudaStreamSynchronize(cudaStreamPerThread);
}
