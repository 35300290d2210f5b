// From the descriptions of the program to the descriptor of a texture or surface.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/runtime.h"
#include "device/texture_descriptor.h"

namespace warpcheck::cudart {

// The limits of textures, surfaces and arrays: those of an H200 (cudaDeviceProp).

inline constexpr std::size_t kTextureAlignment = 512;      // bytes, of linear memory and pitch2D
inline constexpr std::size_t kTexturePitchAlignment = 32;  // bytes, of the rows of pitch2D

// Texels.
inline constexpr cudaExtent kMaxTexture1D = {131072, 0, 0};
inline constexpr cudaExtent kMaxTexture2D = {131072, 65536, 0};
inline constexpr cudaExtent kMaxTexture3D = {16384, 16384, 16384};
inline constexpr cudaExtent kMaxTextureLayered = {32768, 32768, 2048};  // depth: layers
inline constexpr cudaExtent kMaxTexturePitched = {131072, 65000, 0};
inline constexpr std::size_t kMaxTexturePitch = 2097120;  // bytes
inline constexpr std::size_t kMaxTextureLinear = std::size_t{1} << 28;

// What cudaChannelFormatDesc says, as devices have it.

// Sets the channels of `texture`. cudaErrorInvalidChannelDescriptor for a format that CUDA has not;
// cudaErrorNotSupported for one that warpcheck has not: video, compressed.
cudaError_t ReadFormat(const cudaChannelFormatDesc& format, TextureDescriptor* texture);

// Where the texels are and what they are. cudaErrorNotSupported for mipmapped arrays and formats
// that warpcheck has not; CUDA's own errors for what is wrong.
cudaError_t ReadResource(Runtime& runtime, const cudaResourceDesc& resource,
                         TextureDescriptor* texture);

// How they are sampled; after ReadResource. cudaErrorNotSupported for sRGB.
cudaError_t ReadSampling(const cudaTextureDesc& sampling, TextureDescriptor* texture);

}  // namespace warpcheck::cudart
