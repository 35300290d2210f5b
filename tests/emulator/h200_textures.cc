#include "emulator/h200_textures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

#include "base/files.h"

namespace warpcheck::emulator {
namespace {

std::uint32_t Hash(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t c) {
  return (x * 73 + y * 179 + z * 283 + c * 47 + 11) * 2654435761U;
}

// Returns the texels that the GPU was given.
std::vector<std::byte> TexelsOf(const TextureDescriptor& texture, int format) {
  std::vector<std::byte> bytes(TexelSpan(texture));
  std::byte* to = bytes.data();
  for (std::uint32_t z = 0; z < std::max(texture.depth, 1U); ++z) {
    for (std::uint32_t y = 0; y < std::max(texture.height, 1U); ++y) {
      for (std::uint32_t i = 0; i < texture.width * texture.channels; ++i) {
        const std::uint32_t hash = Hash(i / texture.channels, y, z, i % texture.channels);
        std::uint32_t bits = hash >> (32 - 8 * texture.channel_bytes);
        if (format == TextureFetch::kF16) bits &= 0xbfff;  // all values are below 2
        if (format == TextureFetch::kF32) {
          const auto value = static_cast<float>(static_cast<int>(hash >> 8) - (1 << 23));
          bits = std::bit_cast<std::uint32_t>(value / 1048576.0F);
        }
        std::memcpy(to, &bits, texture.channel_bytes);
        to += texture.channel_bytes;
      }
    }
  }
  return bytes;
}

TextureFetch Read(const std::string& line) {
  TextureFetch fetch;
  fetch.line = line;
  TextureDescriptor& texture = fetch.texture;
  std::istringstream from(line);
  std::uint32_t edge = 0;
  from >> fetch.dimensions >> texture.width >> texture.height >> texture.depth >> fetch.format >>
      texture.interpolates >> texture.normalized_coordinates >> edge >> texture.channels >>
      std::hex;
  for (int i = 0; i < 3; ++i) {
    std::uint32_t bits = 0;
    from >> bits;
    if (i < fetch.dimensions)
      fetch.coordinates[static_cast<std::size_t>(i)] = std::bit_cast<float>(bits);
  }
  for (std::uint32_t& bits : fetch.expected) from >> bits;
  EXPECT_FALSE(from.fail()) << line;
  texture.edge.fill(static_cast<TextureEdge>(edge));
  const int format = fetch.format;
  texture.channel_bytes = format == TextureFetch::kF32                                     ? 4
                          : format == TextureFetch::kU8Norm || format == TextureFetch::kU8 ? 1
                                                                                           : 2;
  texture.is_float = format == TextureFetch::kF32 || format == TextureFetch::kF16;
  texture.is_signed = format == TextureFetch::kS16Norm || format == TextureFetch::kS16;
  texture.normalized_values = format == TextureFetch::kU8Norm || format == TextureFetch::kS16Norm;
  texture.pitch = std::uint64_t{texture.width} * texture.TexelBytes();
  texture.layer = texture.pitch * std::max(texture.height, 1U);
  fetch.texels = TexelsOf(texture, format);
  return fetch;
}

}  // namespace

std::vector<TextureFetch> RecordedFetches() {
  const auto text = ReadFile(WARPCHECK_TEST_DATA "/h200_textures.txt");
  EXPECT_TRUE(text.has_value());
  std::vector<TextureFetch> fetches;
  std::istringstream from(text.value_or(""));
  for (std::string line; std::getline(from, line);) {
    if (!line.starts_with('#')) fetches.push_back(Read(line));
  }
  return fetches;
}

bool OnAnEdge(const TextureFetch& fetch) {
  const std::uint32_t extents[] = {fetch.texture.width, fetch.texture.height, fetch.texture.depth};
  const auto dimensions = std::min(std::size(extents), static_cast<std::size_t>(fetch.dimensions));
  for (std::size_t i = 0; i < dimensions; ++i) {
    const double at = static_cast<double>(fetch.coordinates[i]) * extents[i];
    if (std::fabs(at - std::round(at)) < 1e-4) return true;
  }
  return false;
}

}  // namespace warpcheck::emulator
