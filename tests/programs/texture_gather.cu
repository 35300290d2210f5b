// This program gathers one channel of four texels at once: every channel, inside and beyond the
// edges, and where the coordinate is within half of 1/256 of the next texel.
#include "check.h"

__device__ float4 Gathered(cudaTextureObject_t picture, float x, float y, int channel) {
  switch (channel) {
    case 0:
      return tex2Dgather<float4>(picture, x, y, 0);
    case 1:
      return tex2Dgather<float4>(picture, x, y, 1);
    case 2:
      return tex2Dgather<float4>(picture, x, y, 2);
    default:
      return tex2Dgather<float4>(picture, x, y, 3);
  }
}

// `step` is the distance from one thread's coordinate to the next, a multiple of 1/512.
__global__ void Gather(cudaTextureObject_t picture, float* out, float from, float step, float scale,
                       int channel) {
  const int x = threadIdx.x;
  const int y = blockIdx.x;
  const float4 four =
      Gathered(picture, scale * (from + step * x), scale * (from + step * y), channel);
  float* const to = out + 4 * (y * blockDim.x + x);
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

int main() {
  const int side = 8, threads = 32;
  std::vector<float4> picture(side * side);
  for (int i = 0; i < side * side; ++i) {
    picture[i] = make_float4(float(i), 100.0f + i, 200.0f + i, 300.0f + i);
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, side, side, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, picture.data(), side * sizeof(float4),
                            side * sizeof(float4), side, cudaMemcpyHostToDevice));
  const Array<float> out(4 * threads * threads);
  for (const cudaTextureAddressMode edge :
       {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror}) {
    const bool normalised = edge == cudaAddressModeWrap || edge == cudaAddressModeMirror;
    for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
      const cudaTextureObject_t texture = TextureOf(array, edge, filter, normalised);
      for (int channel = 0; channel < 4; ++channel) {
        for (const float step : {0.4375f, 1.0f / 512}) {
          Gather<<<threads, threads>>>(texture, out.data(), step < 0.1f ? 2.46875f : -2.0f, step,
                                       normalised ? 1.0f / side : 1.0f, channel);
          CHECK(cudaGetLastError());
          CHECK(cudaDeviceSynchronize());
          std::printf("edge %d, filter %d, channel %d, step %.6f\n", int(edge), int(filter),
                      channel, step);
          Show("gathered", out.Get());
        }
      }
      CHECK(cudaDestroyTextureObject(texture));
    }
  }
  CHECK(cudaFreeArray(array));
  return 0;
}
