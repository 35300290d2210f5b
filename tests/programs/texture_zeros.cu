// This program fetches zeros of both signs through a linear filter, at the middle of a texel and
// between texels, in one, two and three dimensions, and prints their bits.
#include <cstring>

#include "check.h"

__global__ void Fetch(cudaTextureObject_t texture, int dimensions, float dx, float dy, float* out) {
  const float x = dx + static_cast<float>(threadIdx.x % 8);
  const float y = dy + static_cast<float>(threadIdx.x / 8 % 4);
  const float z = dy + static_cast<float>(threadIdx.x / 32 % 2);
  out[threadIdx.x] = dimensions == 1   ? tex1D<float>(texture, x)
                     : dimensions == 2 ? tex2D<float>(texture, x, y)
                                       : tex3D<float>(texture, x, y, z);
}

// Returns zeros of both signs in a pattern that gives each its neighbours: equal and unequal ones,
// and numbers that cancel each other.
std::vector<float> Texels(int n) {
  const float kValues[] = {-0.0f, -0.0f,   0.0f,   -0.0f, 1.0f, -1.0f,
                           -0.0f, -1e-45f, 1e-45f, -0.0f, -2.0f};
  std::vector<float> texels(n);
  for (int i = 0; i < n; ++i) texels[i] = kValues[i * i % 11];
  return texels;
}

int main() {
  const int width = 8, height = 4, depth = 2;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  for (const bool all_negative : {true, false}) {
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      const cudaExtent extent =
          make_cudaExtent(width, dimensions > 1 ? height : 0, dimensions > 2 ? depth : 0);
      const int n = width * (dimensions > 1 ? height : 1) * (dimensions > 2 ? depth : 1);
      std::vector<float> texels = Texels(n);
      if (all_negative) texels.assign(n, -0.0f);
      cudaArray_t array;
      CHECK(cudaMalloc3DArray(&array, &format, extent));
      cudaMemcpy3DParms copy = {};
      copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width,
                                        dimensions > 1 ? height : 1);
      copy.dstArray = array;
      copy.extent = make_cudaExtent(width, dimensions > 1 ? height : 1, dimensions > 2 ? depth : 1);
      copy.kind = cudaMemcpyHostToDevice;
      CHECK(cudaMemcpy3D(&copy));
      for (const cudaTextureAddressMode edge : {cudaAddressModeClamp, cudaAddressModeBorder}) {
        const cudaTextureObject_t texture = TextureOf(array, edge, cudaFilterModeLinear, false);
        const Array<float> out(n);
        for (const float dx : {0.5f, 0.75f, 0.0f}) {
          for (const float dy : {0.5f, 0.625f}) {
            Fetch<<<1, n>>>(texture, dimensions, dx, dy, out.data());
            CHECK(cudaDeviceSynchronize());
            std::printf("%s, %dD, edge %d, from %.3f, %.3f:", all_negative ? "-0" : "mixed",
                        dimensions, int(edge), dx, dy);
            for (const float value : out.Get()) {
              unsigned bits;
              std::memcpy(&bits, &value, sizeof bits);
              std::printf(" %x", bits);
            }
            std::printf("\n");
          }
        }
        CHECK(cudaDestroyTextureObject(texture));
      }
      CHECK(cudaFreeArray(array));
    }
  }
}
