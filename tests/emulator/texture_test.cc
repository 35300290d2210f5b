// Texture sampling against what an H200 gives (data/h200_textures.txt).
#include "emulator/texture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>
#include <vector>

#include "base/files.h"

namespace warpcheck::emulator {
namespace {

enum Format { kF32, kU8Norm, kS16Norm, kF16, kU8, kS16 };

struct Fetch {
  Texture texture;
  int dimensions = 0;
  int format = 0;
  std::vector<std::byte> texels;
  std::array<float, 3> coordinates = {};
  Texel expected = {};
};

std::uint32_t Hash(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t c) {
  return (x * 73 + y * 179 + z * 283 + c * 47 + 11) * 2654435761U;
}

// The texels that the GPU was given.
std::vector<std::byte> TexelsOf(const Texture& texture, int format) {
  std::vector<std::byte> bytes(TexelSpan(texture));
  std::byte* to = bytes.data();
  for (std::uint32_t z = 0; z < std::max(texture.depth, 1U); ++z) {
    for (std::uint32_t y = 0; y < std::max(texture.height, 1U); ++y) {
      for (std::uint32_t i = 0; i < texture.width * texture.channels; ++i) {
        const std::uint32_t hash = Hash(i / texture.channels, y, z, i % texture.channels);
        std::uint32_t bits = hash >> (32 - 8 * texture.channel_bytes);
        if (format == kF16) bits &= 0xbfff;  // below 2
        if (format == kF32) {
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

Fetch Read(const std::string& line) {
  Fetch fetch;
  Texture& texture = fetch.texture;
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
  texture.channel_bytes = format == kF32 ? 4 : format == kU8Norm || format == kU8 ? 1 : 2;
  texture.is_float = format == kF32 || format == kF16;
  texture.is_signed = format == kS16Norm || format == kS16;
  texture.normalized_values = format == kU8Norm || format == kS16Norm;
  texture.pitch = std::uint64_t{texture.width} * texture.TexelBytes();
  texture.layer = texture.pitch * std::max(texture.height, 1U);
  fetch.texels = TexelsOf(texture, format);
  return fetch;
}

std::vector<std::string> Lines() {
  const auto text = ReadFile(WARPCHECK_TEST_DATA "/h200_textures.txt");
  EXPECT_TRUE(text.has_value());
  std::vector<std::string> lines;
  std::istringstream from(text.value_or(""));
  for (std::string line; std::getline(from, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

// A normalised coordinate times the extent, so near to a texel's edge that rounding decides.
bool OnAnEdge(const Fetch& fetch) {
  const std::uint32_t extents[] = {fetch.texture.width, fetch.texture.height, fetch.texture.depth};
  for (std::size_t i = 0; i < static_cast<std::size_t>(fetch.dimensions); ++i) {
    const double at = static_cast<double>(fetch.coordinates[i]) * extents[i];
    if (std::fabs(at - std::round(at)) < 1e-4) return true;
  }
  return false;
}

double WorstDifference(const Texel& a, const Texel& b) {
  double worst = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    worst = std::max(worst, std::fabs(static_cast<double>(std::bit_cast<float>(a[c])) -
                                      static_cast<double>(std::bit_cast<float>(b[c]))));
  }
  return worst;
}

TEST(Texture, PointFetchesHaveTheBitsOfTheGpu) {
  int count = 0;
  for (const std::string& line : Lines()) {
    const Fetch fetch = Read(line);
    if (fetch.texture.interpolates) continue;
    if (fetch.texture.normalized_coordinates && OnAnEdge(fetch)) continue;
    ++count;
    EXPECT_EQ(Sample(fetch.texture, fetch.texels.data(), fetch.coordinates), fetch.expected)
        << line;
  }
  EXPECT_GT(count, 400);
}

TEST(Texture, InterpolatesFloatsWithTheBitsOfTheGpu) {
  int count = 0;
  int equal = 0;
  for (const std::string& line : Lines()) {
    const Fetch fetch = Read(line);
    if (!fetch.texture.interpolates || fetch.format != kF32 || fetch.dimensions == 3 ||
        fetch.texture.normalized_coordinates) {
      continue;
    }
    ++count;
    const Texel got = Sample(fetch.texture, fetch.texels.data(), fetch.coordinates);
    equal += got == fetch.expected ? 1 : 0;
    // The sum of four products is rounded once here; on a GPU it may be otherwise.
    EXPECT_LE(WorstDifference(got, fetch.expected), 5e-7) << line;
  }
  EXPECT_GT(count, 50);
  EXPECT_GE(equal, count * 95 / 100);
}

TEST(Texture, InterpolatesEverythingElseWithinTwoStepsOfAWeight) {
  constexpr double kRange[] = {16, 1, 2, 4};  // of the texels, by format
  int count = 0;
  for (const std::string& line : Lines()) {
    const Fetch fetch = Read(line);
    if (!fetch.texture.interpolates) continue;
    ++count;
    const Texel got = Sample(fetch.texture, fetch.texels.data(), fetch.coordinates);
    EXPECT_LE(WorstDifference(got, fetch.expected), 2.0 / 256 * kRange[fetch.format]) << line;
  }
  EXPECT_GT(count, 400);
}

TEST(Texture, LinearMemoryIsZeroOutside) {
  const std::array<std::uint32_t, 3> data = {7, 8, 9};
  Texture texture;
  texture.width = 3;
  texture.is_linear_memory = true;
  const auto* texels = reinterpret_cast<const std::byte*>(data.data());
  EXPECT_EQ(FetchAt(texture, texels, {2, 0, 0})[0], 9U);
  EXPECT_EQ(FetchAt(texture, texels, {3, 0, 0})[0], 0U);
  EXPECT_EQ(FetchAt(texture, texels, {-1, 0, 0})[0], 0U);
}

}  // namespace
}  // namespace warpcheck::emulator
