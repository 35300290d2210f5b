// How a texture is sampled: one thread's fetch (CUDA C++ Programming Guide, "Texture Fetching").
// Measured on an H200 (tests/emulator/data/h200_textures.txt): with coordinates in texels, fetches
// in one and two dimensions have its bits for floats; with normalised ones, and in three, a weight
// may differ by one or two steps of 1/256. Of narrower formats it keeps fewer digits in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/texture_descriptor.h"

namespace warpcheck::emulator {

// Texels as 32-bit registers: floats, or integers extended from their width. Channels that the
// texture lacks are zero.
using Texel = std::array<std::uint32_t, 4>;

// Where the texels lie that a fetch read, in bytes from the first one of the texture.
struct TexelReads {
  std::array<std::uint64_t, 8> offsets = {};
  std::uint32_t count = 0;

  void Add(std::uint64_t offset) { offsets[count++ % offsets.size()] = offset; }
};

// Coordinates that the texture lacks are 0. Reads nothing outside TexelSpan bytes from `texels` on,
// and adds to `reads`, where there is one, what it read.
Texel FetchAt(const TextureDescriptor& texture, const std::byte* texels,
              const std::array<std::int32_t, 3>& index, TexelReads* reads = nullptr);
Texel Sample(const TextureDescriptor& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates, TexelReads* reads = nullptr);
// One channel of the four texels between which a 2D texture would interpolate, whether it does or
// not: lower left, lower right, upper right, upper left, where y grows downwards.
Texel Gather(const TextureDescriptor& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates, std::size_t channel,
             TexelReads* reads = nullptr);

}  // namespace warpcheck::emulator
