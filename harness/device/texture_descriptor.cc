#include "device/texture_descriptor.h"

#include <algorithm>

namespace warpcheck {
namespace {

constexpr std::uint32_t kMaxWidth = std::uint32_t{1} << 28;  // texels of linear memory
// Texels in each dimension of all other textures.
constexpr std::uint32_t kMaxExtent = std::uint32_t{1} << 17;
constexpr std::uint64_t kMaxDistance = std::uint64_t{1} << 44;
constexpr std::uint64_t kDescriptorAlignment = 16;  // the alignment in bytes of the largest texel

bool IsSize(std::uint32_t count) { return count == 1 || count == 2 || count == 4; }

}  // namespace

bool IsSound(const TextureDescriptor& t) {
  if (t.magic != TextureDescriptor::kMagic || !IsSize(t.channels) || !IsSize(t.channel_bytes)) {
    return false;
  }
  if (t.width == 0 || t.width > kMaxWidth || t.height > kMaxExtent || t.depth > kMaxExtent ||
      t.layers > kMaxExtent || t.pitch > kMaxDistance || t.layer > kMaxDistance) {
    return false;
  }
  if ((t.texels | t.pitch | t.layer) % kDescriptorAlignment != 0) return false;
  const bool needs_pitch = t.height > 1;
  return (!needs_pitch || t.pitch >= t.RowBytes()) && (t.depth == 0 || t.layers == 0);
}

std::uint64_t TexelSpan(const TextureDescriptor& t) {
  const std::uint64_t rows = t.pitch * (std::max(t.height, 1U) - 1);
  const std::uint64_t layers = t.layer * (std::max({t.depth, t.layers, 1U}) - 1);
  return layers + rows + t.RowBytes();
}

}  // namespace warpcheck
