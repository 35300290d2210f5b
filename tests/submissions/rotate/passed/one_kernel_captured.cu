// score: 100
// Both functions share one kernel, whose template parameter is an enum. It is captured into a graph
// together with the copy to the array, in a stream of its own, and launched once. Threads are 8 x
// 24.
#include "rotate.h"

enum class Job { kTurn, kMove };

template <Job kJob>
struct Arguments;
template <>
struct Arguments<Job::kTurn> {
  float cosine, sine;
};
template <>
struct Arguments<Job::kMove> {
  int dx, dy;
};

template <Job kJob>
__global__ void __launch_bounds__(8 * 24)
    fetch(cudaTextureObject_t image, float* __restrict__ out, int width, int height,
          Arguments<kJob> arguments) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u, v;
  if constexpr (kJob == Job::kTurn) {
    const float px = __int2float_rn(2 * x + 1 - width) / 2, py = __int2float_rn(2 * y + 1 - height) / 2;
    u = width / 2.0f + arguments.cosine * px - arguments.sine * py;
    v = height / 2.0f + arguments.sine * px + arguments.cosine * py;
  } else {
    u = x + 0.5f - arguments.dx;
    v = y + 0.5f - arguments.dy;
  }
  out[y * width + x] = tex2D<float>(image, u, v);
}

template <Job kJob>
void perform(const float* in, float* out, int width, int height, Arguments<kJob> arguments) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] =
      kJob == Job::kTurn ? cudaAddressModeBorder : cudaAddressModeClamp;
  description.filterMode = kJob == Job::kTurn ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &description, nullptr);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  const size_t row = width * sizeof(float);
  cudaMemcpy2DToArrayAsync(array, 0, 0, in, row, row, height, cudaMemcpyDeviceToDevice, stream);
  const dim3 block(8, 24), grid((width + 7) / 8, (height + 23) / 24);
  fetch<kJob><<<grid, block, 0, stream>>>(image, out, width, height, arguments);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);

  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  perform<Job::kTurn>(in, out, width, height, {cosine, sine});
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  perform<Job::kMove>(in, out, width, height, {dx, dy});
}
