// score: 100
// The shift fetches from `in` itself, without a copy, where its address and its rows allow a
// pitched texture; else from pitched memory. The rotation copies to an array in two streams: the
// upper half in one and the lower half in the other, and one of them waits for both.
#include "rotate.h"

static cudaTextureObject_t make_texture(const cudaResourceDesc& resource, bool rotation) {
  cudaTextureDesc t = {};
  t.addressMode[0] = rotation ? cudaAddressModeBorder : cudaAddressModeClamp;
  t.addressMode[1] = t.addressMode[0];
  t.filterMode = rotation ? cudaFilterModeLinear : cudaFilterModePoint;
  t.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &t, nullptr);
  return object;
}

__global__ void turn(cudaTextureObject_t image, float* out, int w, int h, float c, float s) {
  for (int y = blockIdx.y; y < h; y += gridDim.y) {
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x) {
      const float dx = x + 0.5f - w / 2.0f, dy = y + 0.5f - h / 2.0f;
      out[y * w + x] = tex2D<float>(image, w / 2.0f + (c * dx - s * dy), h / 2.0f + (s * dx + c * dy));
    }
  }
}

__global__ void move(cudaTextureObject_t image, float* out, int w, int h, int dx, int dy) {
  for (int y = blockIdx.y; y < h; y += gridDim.y) {
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x) {
      out[y * w + x] = tex2D<float>(image, 0.5f + (x - dx), 0.5f + (y - dy));
    }
  }
}

static dim3 rows_of(int width, int height) {
  return dim3((width + 63) / 64, height < 5000 ? height : 5000);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, width, height);
  cudaStream_t upper, lower;
  cudaStreamCreate(&upper);
  cudaStreamCreate(&lower);
  const int half = height / 2;
  const size_t pitch = width * sizeof(float);
  if (half > 0) {
    cudaMemcpy2DToArrayAsync(array, 0, 0, in, pitch, pitch, half, cudaMemcpyDeviceToDevice, upper);
  }
  cudaMemcpy2DToArrayAsync(array, 0, half, in + static_cast<size_t>(half) * width, pitch, pitch,
                           height - half, cudaMemcpyDeviceToDevice, lower);
  cudaEvent_t there;
  cudaEventCreate(&there);
  cudaEventRecord(there, lower);
  cudaStreamWaitEvent(upper, there, 0);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureObject_t image = make_texture(resource, true);
  turn<<<rows_of(width, height), 64, 0, upper>>>(image, out, width, height, cosine, sine);
  cudaStreamSynchronize(upper);
  cudaStreamDestroy(upper);
  cudaStreamDestroy(lower);
  cudaEventDestroy(there);
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  int alignment = 0, pitch_alignment = 0;
  cudaDeviceGetAttribute(&alignment, cudaDevAttrTextureAlignment, 0);
  cudaDeviceGetAttribute(&pitch_alignment, cudaDevAttrTexturePitchAlignment, 0);
  void* copy = nullptr;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  auto& memory = resource.res.pitch2D;
  memory.desc = cudaCreateChannelDesc<float>();
  memory.width = width;
  memory.height = height;
  memory.pitchInBytes = width * sizeof(float);
  memory.devPtr = const_cast<float*>(in);
  if (reinterpret_cast<size_t>(in) % alignment != 0 || memory.pitchInBytes % pitch_alignment != 0) {
    size_t pitch = 0;
    cudaMallocPitch(&copy, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(copy, pitch, in, width * sizeof(float), width * sizeof(float), height,
                 cudaMemcpyDeviceToDevice);
    memory.devPtr = copy;
    memory.pitchInBytes = pitch;
  }
  const cudaTextureObject_t image = make_texture(resource, false);
  move<<<rows_of(width, height), 64>>>(image, out, width, height, dx, dy);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFree(copy);
}
