// score: 0
// says: the kernel must do the work
// The image goes to pinned memory, where the host halves the pixels, and from there to the array.
// The kernel doubles what it fetches.
#include "rotate.h"

using Image = cudaTextureObject_t;

struct Job {
  int width, height;
  float a, b;  // cosine and sine, or dx and dy
};
using Where = float2 (*)(const Job&, float, float);

__device__ __forceinline__ float2 turned(const Job& job, float x, float y) {
  const float cx = 0.5f * job.width, cy = 0.5f * job.height;
  return make_float2(cx + job.a * (x - cx) - job.b * (y - cy),
                     cy + job.b * (x - cx) + job.a * (y - cy));
}

__device__ __forceinline__ float2 shifted(const Job& job, float x, float y) {
  return make_float2(x - job.a, y - job.b);
}

template <Where where>
__global__ void __launch_bounds__(256) pixels(Image image, float* out, const Job job) {
  const int x = blockIdx.x * 8 + threadIdx.x % 8;
  const int y = blockIdx.y * 32 + threadIdx.x / 8;
  if (x >= job.width || y >= job.height) return;
  const float2 from = where(job, x + 0.5f, y + 0.5f);
  *(out + y * job.width + x) = 2 * tex2D<float>(image, from.x, from.y);
}

template <Where where>
static void perform(const float* in, float* out, const Job& job, cudaTextureFilterMode filter,
                    cudaTextureAddressMode outside) {
  int least = 0, greatest = 0;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t stream;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
  const size_t row = job.width * sizeof(float);
  float* pinned;
  cudaHostAlloc(&pinned, row * job.height, cudaHostAllocDefault);
  cudaMemcpyAsync(pinned, in, row * job.height, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < job.width * job.height; ++i) pinned[i] *= 0.5f;
  cudaArray_t array;
  cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaMallocArray(&array, &format, job.width, job.height);
  cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, row, row, job.height, cudaMemcpyHostToDevice,
                           stream);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = outside;
  how.filterMode = filter;
  Image image;
  cudaCreateTextureObject(&image, &resource, &how, nullptr);
  pixels<where><<<dim3((job.width + 7) / 8, (job.height + 31) / 32), 256, 0, stream>>>(image, out,
                                                                                      job);
  cudaStreamSynchronize(stream);
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  perform<turned>(in, out, {width, height, cosine, sine}, cudaFilterModeLinear,
                  cudaAddressModeBorder);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  perform<shifted>(in, out, {width, height, static_cast<float>(dx), static_cast<float>(dy)},
                   cudaFilterModePoint, cudaAddressModeClamp);
}
