// Textures and surfaces of a device that has no unit for them: an object's handle is the device
// address of a descriptor, which the runtime writes there, and texels lie in device memory. A
// kernel may write anything where a descriptor should be: devices trust none that is not IsSound.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "device/types.h"

namespace warpcheck {

// What becomes of a coordinate outside; the values of cudaTextureAddressMode.
enum class TextureEdge : std::uint32_t { kWrap, kClamp, kMirror, kBorder };

// Texels lie in rows of `pitch` bytes, and these in slices (or layers) of `layer` bytes. Flags are
// 0 or 1.
struct TextureDescriptor {
  static constexpr std::uint64_t kMagic = 0x5741525054455831;

  std::uint64_t magic = kMagic;
  DeviceAddress texels = 0;
  std::uint64_t pitch = 0;
  std::uint64_t layer = 0;
  std::uint32_t width = 0;          // texels
  std::uint32_t height = 0;         // 0: 1D
  std::uint32_t depth = 0;          // 0: 1D or 2D
  std::uint32_t layers = 0;         // 0: not layered
  std::uint32_t channels = 1;       // 1, 2 or 4
  std::uint32_t channel_bytes = 4;  // 1, 2 or 4
  std::uint32_t is_float = 0;
  std::uint32_t is_signed = 0;
  std::uint32_t is_surface = 0;
  std::uint32_t is_linear_memory = 0;  // fetched by index alone; outside it is zero
  std::uint32_t interpolates = 0;
  std::uint32_t normalized_coordinates = 0;
  std::uint32_t normalized_values = 0;  // integers read as 0 to 1, or -1 to 1
  std::array<TextureEdge, 3> edge = {TextureEdge::kClamp, TextureEdge::kClamp, TextureEdge::kClamp};
  std::array<float, 4> border = {};

  std::uint32_t TexelBytes() const { return channels * channel_bytes; }
  std::uint64_t RowBytes() const { return std::uint64_t{width} * TexelBytes(); }
};
static_assert(std::is_trivially_copyable_v<TextureDescriptor>);

// Whether it was made as one, and its extents and distances are such that nothing overflows.
bool IsSound(const TextureDescriptor& texture);

// Bytes from the first texel to the end of the last, of a sound descriptor.
std::uint64_t TexelSpan(const TextureDescriptor& texture);

}  // namespace warpcheck
