// A TextureDescriptor says where the texels of a texture or surface object lie in device memory,
// what they are, and how they are sampled. The runtime gives it to the device, which makes the
// object. The emulator keeps it in device memory, where a kernel may overwrite it. Code that reads
// a descriptor from there must call IsSound first.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "device/types.h"

namespace warpcheck {

// Says how coordinates outside the texture are handled, with the values of cudaTextureAddressMode.
enum class TextureEdge : std::uint32_t { kWrap, kClamp, kMirror, kBorder };

// Texels lie in rows of `pitch` bytes, and rows lie in slices or layers of `layer` bytes. Flags are
// 0 or 1.
struct TextureDescriptor {
  static constexpr std::uint64_t kMagic = 0x5741525054455831;

  std::uint64_t magic = kMagic;
  DeviceAddress texels = 0;
  std::uint64_t pitch = 0;
  std::uint64_t layer = 0;
  std::uint32_t width = 0;          // the width in texels
  std::uint32_t height = 0;         // the height; 0 for 1D
  std::uint32_t depth = 0;          // the depth; 0 for 1D and 2D
  std::uint32_t layers = 0;         // the number of layers; 0 if not layered
  std::uint32_t channels = 1;       // 1, 2 or 4
  std::uint32_t channel_bytes = 4;  // 1, 2 or 4
  std::uint32_t is_float = 0;
  std::uint32_t is_signed = 0;
  std::uint32_t is_surface = 0;
  // Texels are fetched by index; outside the texture they are zero.
  std::uint32_t is_linear_memory = 0;
  std::uint32_t is_pitched_memory = 0;  // rows of plain memory instead of a CUDA array
  std::uint32_t unused = 0;  // stands for padding, so that equal descriptors have equal bytes
  std::uint32_t interpolates = 0;
  std::uint32_t normalized_coordinates = 0;
  std::uint32_t normalized_values = 0;  // integers are read as 0 to 1, or -1 to 1
  std::array<TextureEdge, 3> edge = {TextureEdge::kClamp, TextureEdge::kClamp, TextureEdge::kClamp};
  std::array<float, 4> border = {};

  std::uint32_t TexelBytes() const { return channels * channel_bytes; }
  std::uint64_t RowBytes() const { return std::uint64_t{width} * TexelBytes(); }
};
static_assert(std::is_trivially_copyable_v<TextureDescriptor> && sizeof(TextureDescriptor) == 120);

// Returns true if `texture` was made as a descriptor, and its sizes and distances do not overflow.
bool IsSound(const TextureDescriptor& texture);

// Returns the number of bytes from the first texel to the end of the last one. `texture` must be
// sound.
std::uint64_t TexelSpan(const TextureDescriptor& texture);

}  // namespace warpcheck
