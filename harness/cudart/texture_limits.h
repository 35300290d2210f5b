// The limits of textures, surfaces and arrays: those of an H200 (cudaDeviceProp).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warpcheck::cudart {

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

}  // namespace warpcheck::cudart
