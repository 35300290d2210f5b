#include "emulator/lanes/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpcheck::emulator {
namespace {

constexpr int kFractionBits = 8;  // weights are multiples of 1 / 256
constexpr std::int64_t kOne = 1 << kFractionBits;

std::int64_t Extent(const TextureDescriptor& texture, std::size_t axis) {
  const std::uint32_t extents[] = {texture.width, texture.height, texture.depth};
  return std::max<std::int64_t>(extents[axis], 1);
}

std::int64_t Modulo(std::int64_t value, std::int64_t by) {
  const std::int64_t rest = value % by;
  return rest < 0 ? rest + by : rest;
}

// Returns the edge mode. Wrapping and mirroring need normalised coordinates; without them,
// coordinates are clamped.
TextureEdge EdgeOf(const TextureDescriptor& texture, std::size_t axis) {
  const TextureEdge edge = texture.edge[axis];
  const bool repeats = edge == TextureEdge::kWrap || edge == TextureEdge::kMirror;
  return repeats && !texture.normalized_coordinates ? TextureEdge::kClamp : edge;
}

// Returns the index inside the texture, or -1 for the border.
std::int64_t Inside(TextureEdge edge, std::int64_t index, std::int64_t extent) {
  switch (edge) {
    case TextureEdge::kWrap:
      return Modulo(index, extent);
    case TextureEdge::kMirror: {
      const std::int64_t at = Modulo(index, 2 * extent);
      return at < extent ? at : 2 * extent - 1 - at;
    }
    case TextureEdge::kClamp:
      return std::clamp<std::int64_t>(index, 0, extent - 1);
    case TextureEdge::kBorder:
      break;
  }
  return index >= 0 && index < extent ? index : -1;
}

float HalfValue(std::uint32_t half) {
  const std::uint32_t exponent = half >> 10 & 31;
  const std::uint32_t mantissa = half & 0x3ff;
  const float magnitude = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                          : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                          : std::ldexp(static_cast<float>(mantissa | 0x400),
                                                       static_cast<int>(exponent) - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint32_t BitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

// Returns one channel as a register represents it.
std::uint32_t Channel(const TextureDescriptor& texture, const std::byte* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, texture.channel_bytes);
  const std::uint32_t width = 8 * texture.channel_bytes;
  if (texture.is_float) return width == 16 ? BitsOf(HalfValue(bits)) : bits;
  const auto extended = static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
  if (!texture.normalized_values || width == 32) {
    return texture.is_signed ? static_cast<std::uint32_t>(extended) : bits;
  }
  if (!texture.is_signed) {
    return BitsOf(static_cast<float>(bits) / static_cast<float>((1U << width) - 1));
  }
  const float most = static_cast<float>((1U << (width - 1)) - 1);
  return BitsOf(std::max(static_cast<float>(extended) / most, -1.0F));
}

Texel Border(const TextureDescriptor& texture) {
  Texel texel = {};
  const bool floats = texture.is_float || texture.normalized_values;
  for (std::size_t c = 0; c < texture.channels; ++c) {
    texel[c] = floats ? BitsOf(texture.border[c])
                      : static_cast<std::uint32_t>(static_cast<std::int64_t>(texture.border[c]));
  }
  return texel;
}

Texel At(const TextureDescriptor& texture, const std::byte* texels,
         const std::array<std::int64_t, 3>& index, TexelReads* reads) {
  std::uint64_t offset = 0;
  bool is_inside = true;
  TexelPlace place = {};
  const std::uint64_t strides[] = {texture.TexelBytes(), texture.pitch, texture.layer};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = Extent(texture, axis);
    std::int64_t at = Inside(EdgeOf(texture, axis), index[axis], extent);
    if (at < 0) {
      is_inside = false;
      at = Inside(TextureEdge::kClamp, index[axis], extent);
    }
    place[axis] = static_cast<std::uint32_t>(at);
    offset += static_cast<std::uint64_t>(at) * strides[axis];
  }
  if (reads != nullptr) reads->LookUp(place);
  if (!is_inside) return Border(texture);
  if (reads != nullptr) reads->Read(offset);
  Texel texel = {};
  for (std::size_t c = 0; c < texture.channels; ++c) {
    texel[c] = Channel(texture, texels + offset + c * texture.channel_bytes);
  }
  return texel;
}

std::uint32_t Product(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b + kOne / 2) >> kFractionBits);
}

// Returns the weights of the eight corners, x fastest, in 1 / 256; their sum is 256. Each axis
// divides the weights of the earlier axes, rounded to nearest (measured on an H200).
std::array<std::uint32_t, 8> Shares(const std::array<std::uint32_t, 3>& weight) {
  const std::uint32_t both = Product(weight[0], weight[1]);
  std::array<std::uint32_t, 8> shares = {};
  shares[3] = both;
  shares[2] = weight[1] - both;
  shares[1] = weight[0] - both;
  shares[0] = static_cast<std::uint32_t>(kOne) - weight[0] - weight[1] + both;
  for (std::size_t i = 0; i < 4; ++i) {
    shares[4 + i] = Product(shares[i], weight[2]);
    shares[i] -= shares[4 + i];
  }
  return shares;
}

// Returns a coordinate in texels, limited to the range of an index.
double InTexels(const TextureDescriptor& texture, std::size_t axis, float coordinate) {
  const double extent = static_cast<double>(Extent(texture, axis));
  const double value = texture.normalized_coordinates ? coordinate * extent : coordinate;
  return std::isnan(value) ? 0 : std::clamp(value, -1e9, 1e9);
}

// Returns a coordinate in 1 / 256 of a texel, measured from the middle of the first texel.
std::int64_t InFractions(const TextureDescriptor& texture, std::size_t axis, float coordinate) {
  return static_cast<std::int64_t>(
      std::floor((InTexels(texture, axis, coordinate) - 0.5) * kOne + 0.5));
}

}  // namespace

Texel FetchAt(const TextureDescriptor& texture, const std::byte* texels,
              const std::array<std::int32_t, 3>& index, TexelReads* reads) {
  if (texture.is_linear_memory &&
      (index[0] < 0 || static_cast<std::uint32_t>(index[0]) >= texture.width)) {
    return {};
  }
  return At(texture, texels, {index[0], index[1], index[2]}, reads);
}

Texel Sample(const TextureDescriptor& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates, TexelReads* reads) {
  std::array<std::int64_t, 3> low = {};
  std::array<std::uint32_t, 3> weight = {};  // the weights of the upper neighbours
  // Samples a 1D texture as a row of a 2D texture, at its edge.
  const std::size_t axes = texture.depth != 0 ? 3 : 2;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (!texture.interpolates) {
      low[axis] = static_cast<std::int64_t>(std::floor(InTexels(texture, axis, coordinates[axis])));
      continue;
    }
    const std::int64_t fixed = InFractions(texture, axis, coordinates[axis]);
    low[axis] = fixed >> kFractionBits;
    weight[axis] = static_cast<std::uint32_t>(fixed & (kOne - 1));
  }
  if (!texture.interpolates) return At(texture, texels, low, reads);
  const std::array<std::uint32_t, 8> shares = Shares(weight);
  std::array<double, 4> sum = {-0.0, -0.0, -0.0, -0.0};  // so that a sum of -0 alone is -0
  for (std::size_t corner = 0; corner < shares.size(); ++corner) {
    if (shares[corner] == 0) continue;
    const Texel texel = At(texture, texels,
                           {low[0] + static_cast<std::int64_t>(corner & 1),
                            low[1] + static_cast<std::int64_t>(corner >> 1 & 1),
                            low[2] + static_cast<std::int64_t>(corner >> 2)},
                           reads);
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] += shares[corner] * static_cast<double>(std::bit_cast<float>(texel[c]));
    }
  }
  Texel result = {};
  for (std::size_t c = 0; c < texture.channels; ++c) {
    result[c] = BitsOf(static_cast<float>(sum[c] / kOne));
  }
  return result;
}

Texel Gather(const TextureDescriptor& texture, const std::byte* texels,
             const std::array<float, 3>& coordinates, std::size_t channel, TexelReads* reads) {
  const std::int64_t left = InFractions(texture, 0, coordinates[0]) >> kFractionBits;
  const std::int64_t top = InFractions(texture, 1, coordinates[1]) >> kFractionBits;
  const std::array<std::int64_t, 3> corners[] = {
      {left, top + 1}, {left + 1, top + 1}, {left + 1, top}, {left, top}};
  Texel gathered = {};
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    gathered[i] = At(texture, texels, corners[i], reads)[channel];
  }
  return gathered;
}

}  // namespace warpcheck::emulator
