// Fetches from textures by the patterns of texture_patterns.h, one warp and one launch for each, so
// that Nsight Compute can count the sectors of each:
//
//   nvcc -std=c++17 -arch=native texture_sectors.cu -o texture_sectors
//   ncu --metrics l1tex__t_sectors_pipe_tex_mem_texture.sum --csv --page raw ./texture_sectors
//
// It prints the name of each pattern, in the order of the launches.
#include <cstdio>
#include <cstdlib>

#include "texture_patterns.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                                   \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

using warpcheck::parity::kTextureHeight;
using warpcheck::parity::kTextureLine;
using warpcheck::parity::kTextureSlices;
using warpcheck::parity::kTextureWidth;
using warpcheck::parity::TexturePattern;
using warpcheck::parity::TexturePatterns;
using Memory = TexturePattern::Memory;
using Format = TexturePattern::Format;

__device__ float Value(float texel) { return texel; }
__device__ float Value(float2 texel) { return texel.x + texel.y; }
__device__ float Value(float4 texel) { return texel.x + texel.y + texel.z + texel.w; }
__device__ float Value(unsigned char texel) { return texel; }
__device__ float Value(unsigned short texel) { return texel; }

// Each lane of `mask` fetches at its coordinates.
template <class T, Memory kMemory, bool kGathers = false>
__global__ void fetch(cudaTextureObject_t texture, const float* at, unsigned mask, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if ((mask >> lane & 1) == 0) return;
  const float x = at[3 * lane];
  const float y = at[3 * lane + 1];
  const float z = at[3 * lane + 2];
  if constexpr (kGathers) {
    out[lane] = Value(tex2Dgather<float4>(texture, x, y, 0));
  } else if constexpr (kMemory == Memory::kLinear) {
    out[lane] = Value(tex1Dfetch<T>(texture, static_cast<int>(x)));
  } else if constexpr (kMemory == Memory::kLine) {
    out[lane] = Value(tex1D<T>(texture, x));
  } else if constexpr (kMemory == Memory::kLayers) {
    out[lane] = Value(tex2DLayered<T>(texture, x, y, static_cast<int>(z)));
  } else if constexpr (kMemory == Memory::kVolume) {
    out[lane] = Value(tex3D<T>(texture, x, y, z));
  } else {
    out[lane] = Value(tex2D<T>(texture, x, y));
  }
}

cudaChannelFormatDesc ChannelsOf(Format format) {
  switch (format) {
    case Format::kU8:
      return cudaCreateChannelDesc<unsigned char>();
    case Format::kU16:
      return cudaCreateChannelDesc<unsigned short>();
    case Format::kNormalizedU8x4:
      return cudaCreateChannelDesc<uchar4>();
    case Format::kF32:
      return cudaCreateChannelDesc<float>();
    case Format::kF32x2:
      return cudaCreateChannelDesc<float2>();
    case Format::kF32x4:
      break;
  }
  return cudaCreateChannelDesc<float4>();
}

// Returns what a texture of the pattern lies on. The memory is not freed.
cudaResourceDesc ResourceOf(const TexturePattern& pattern) {
  const cudaChannelFormatDesc channels = ChannelsOf(pattern.format);
  const std::size_t bytes = (channels.x + channels.y + channels.z + channels.w) / 8;
  cudaResourceDesc resource = {};
  if (pattern.memory == Memory::kLinear) {
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.desc = channels;
    resource.res.linear.sizeInBytes = kTextureLine * bytes;
    CHECK(cudaMalloc(&resource.res.linear.devPtr, kTextureLine * bytes));
    CHECK(cudaMemset(resource.res.linear.devPtr, 0, kTextureLine * bytes));
    return resource;
  }
  if (pattern.memory == Memory::kPitched) {
    auto& rows = resource.res.pitch2D;
    resource.resType = cudaResourceTypePitch2D;
    rows.desc = channels;
    rows.width = kTextureWidth;
    rows.height = kTextureHeight;
    CHECK(cudaMallocPitch(&rows.devPtr, &rows.pitchInBytes, kTextureWidth * bytes, kTextureHeight));
    CHECK(cudaMemset(rows.devPtr, 0, rows.pitchInBytes * kTextureHeight));
    return resource;
  }
  cudaExtent extent = make_cudaExtent(kTextureWidth, kTextureHeight, 0);
  unsigned flags = pattern.gathers ? cudaArrayTextureGather : cudaArrayDefault;
  if (pattern.memory == Memory::kLine) extent = make_cudaExtent(kTextureLine, 0, 0);
  if (pattern.memory == Memory::kLayers) flags |= cudaArrayLayered;
  if (pattern.memory == Memory::kLayers || pattern.memory == Memory::kVolume) {
    extent.depth = kTextureSlices;
  }
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMalloc3DArray(&resource.res.array.array, &channels, extent, flags));
  return resource;
}

template <class T>
void Launch(const TexturePattern& pattern, cudaTextureObject_t texture, const float* at,
            float* out) {
  if (pattern.gathers) {
    fetch<float, Memory::kArray, true><<<1, 32>>>(texture, at, pattern.mask, out);
  } else if (pattern.memory == Memory::kLinear) {
    fetch<T, Memory::kLinear><<<1, 32>>>(texture, at, pattern.mask, out);
  } else if (pattern.memory == Memory::kLine) {
    fetch<T, Memory::kLine><<<1, 32>>>(texture, at, pattern.mask, out);
  } else if (pattern.memory == Memory::kLayers) {
    fetch<T, Memory::kLayers><<<1, 32>>>(texture, at, pattern.mask, out);
  } else if (pattern.memory == Memory::kVolume) {
    fetch<T, Memory::kVolume><<<1, 32>>>(texture, at, pattern.mask, out);
  } else {
    fetch<T, Memory::kArray><<<1, 32>>>(texture, at, pattern.mask, out);
  }
}

void LaunchFormat(const TexturePattern& pattern, cudaTextureObject_t texture, const float* at,
                  float* out) {
  switch (pattern.format) {
    case Format::kU8:
      return Launch<unsigned char>(pattern, texture, at, out);
    case Format::kU16:
      return Launch<unsigned short>(pattern, texture, at, out);
    case Format::kF32:
      return Launch<float>(pattern, texture, at, out);
    case Format::kF32x2:
      return Launch<float2>(pattern, texture, at, out);
    case Format::kNormalizedU8x4:
    case Format::kF32x4:
      return Launch<float4>(pattern, texture, at, out);
  }
}

int main() {
  float* at = nullptr;
  float* out = nullptr;
  CHECK(cudaMalloc(&at, sizeof TexturePattern::at));
  CHECK(cudaMalloc(&out, 32 * sizeof(float)));
  for (const TexturePattern& pattern : TexturePatterns::All()) {
    const cudaResourceDesc resource = ResourceOf(pattern);
    cudaTextureDesc sampling = {};
    for (cudaTextureAddressMode& mode : sampling.addressMode) {
      mode = pattern.border ? cudaAddressModeBorder : cudaAddressModeClamp;
    }
    sampling.filterMode = pattern.interpolates ? cudaFilterModeLinear : cudaFilterModePoint;
    sampling.readMode = pattern.format == Format::kNormalizedU8x4 ? cudaReadModeNormalizedFloat
                                                                  : cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    CHECK(cudaMemcpy(at, pattern.at.data(), sizeof pattern.at, cudaMemcpyHostToDevice));
    LaunchFormat(pattern, texture, at, out);
    CHECK(cudaDeviceSynchronize());
    std::printf("%s\n", pattern.name.c_str());
    CHECK(cudaDestroyTextureObject(texture));
    if (pattern.memory == Memory::kLinear) CHECK(cudaFree(resource.res.linear.devPtr));
    if (pattern.memory == Memory::kPitched) CHECK(cudaFree(resource.res.pitch2D.devPtr));
    if (resource.resType == cudaResourceTypeArray) CHECK(cudaFreeArray(resource.res.array.array));
  }
}
