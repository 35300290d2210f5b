// Samples a texture for one thread (CUDA C++ Programming Guide, "Texture Fetching"). Compared with
// an H200 (tests/emulator/data/h200_textures.txt), fetches of floats in one and two dimensions,
// with coordinates in texels, have the same bits. With normalised coordinates, and in three
// dimensions, a weight may differ by one or two steps of 1/256. For narrower formats an H200 keeps
// fewer digits of intermediate values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/texture_descriptor.h"

namespace warpcheck::emulator {

// A texel as 32-bit registers: floats, or integers extended from their width. Channels that the
// texture lacks are zero.
using Texel = std::array<std::uint32_t, 4>;

// The place of a texel: its column, its row, and its slice or layer.
using TexelPlace = std::array<std::uint32_t, 3>;

// The texels that a fetch needs.
struct TexelReads {
  // The texels that it reads, as offsets in bytes from the first texel.
  std::array<std::uint64_t, 8> offsets = {};
  std::uint32_t count = 0;
  // The texels that the cache looks up: those, and the texel that is nearest to each place outside
  // which has the border's colour.
  std::array<TexelPlace, 8> places = {};
  std::uint32_t lookups = 0;

  void Read(std::uint64_t offset) { offsets[count++ % offsets.size()] = offset; }
  void LookUp(const TexelPlace& place) { places[lookups++ % places.size()] = place; }
};

// These fetch by index or by coordinates. Coordinates that the texture does not have must be 0.
// They read only TexelSpan bytes, starting at `texels`, and add what they read to `reads`, if it is
// not null.
Texel FetchAt(const TextureDescriptor& texture, const std::byte* texels,
              const std::array<std::int32_t, 3>& index, TexelReads* reads = nullptr);
Texel Sample(const TextureDescriptor& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates, TexelReads* reads = nullptr);
// Returns one channel of the four texels between which a 2D texture would interpolate, even if it
// does not: lower left, lower right, upper right, upper left, where y grows downwards.
Texel Gather(const TextureDescriptor& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates, std::size_t channel,
             TexelReads* reads = nullptr);

}  // namespace warpcheck::emulator
