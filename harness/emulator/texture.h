// How a texture is sampled: one thread's fetch (CUDA C++ Programming Guide, "Texture Fetching").
// Measured on an H200 (tests/emulator/data/h200_textures.txt): with coordinates in texels, fetches
// in one and two dimensions have its bits for floats; with normalised ones, and in three, a weight
// may differ by one or two steps of 1/256. Of narrower formats it keeps fewer digits in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpcheck::emulator {

// What becomes of a coordinate outside; the values of cudaTextureAddressMode.
enum class TextureEdge : std::uint32_t { kWrap, kClamp, kMirror, kBorder };

// Texels lie in rows of `pitch` bytes, and these in slices of `layer` bytes.
struct Texture {
  std::uint64_t pitch = 0;
  std::uint64_t layer = 0;
  std::uint32_t width = 0;          // texels
  std::uint32_t height = 0;         // 0: 1D
  std::uint32_t depth = 0;          // 0: 1D or 2D
  std::uint32_t channels = 1;       // 1, 2 or 4
  std::uint32_t channel_bytes = 4;  // 1, 2 or 4
  bool is_float = false;
  bool is_signed = false;
  bool is_linear_memory = false;  // fetched by index alone; outside it is zero
  bool interpolates = false;
  bool normalized_coordinates = false;
  bool normalized_values = false;  // integers read as 0 to 1, or -1 to 1
  std::array<TextureEdge, 3> edge = {TextureEdge::kClamp, TextureEdge::kClamp, TextureEdge::kClamp};
  std::array<float, 4> border = {};

  std::uint32_t TexelBytes() const { return channels * channel_bytes; }
};

// Texels as 32-bit registers: floats, or integers extended from their width. Channels that the
// texture lacks are zero.
using Texel = std::array<std::uint32_t, 4>;

// Coordinates that the texture lacks are 0. Reads nothing outside TexelSpan bytes from `texels` on.
Texel FetchAt(const Texture& texture, const std::byte* texels,
              const std::array<std::int32_t, 3>& index);
Texel Sample(const Texture& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates);

// Bytes from the first texel to the end of the last.
std::uint64_t TexelSpan(const Texture& texture);

}  // namespace warpcheck::emulator
