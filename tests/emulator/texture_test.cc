// Compares texture sampling with an H200 (data/h200_textures.txt).
#include "emulator/lanes/texture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "emulator/h200_textures.h"

namespace warpcheck::emulator {
namespace {

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
  for (const TextureFetch& fetch : RecordedFetches()) {
    if (fetch.texture.interpolates) continue;
    if (fetch.texture.normalized_coordinates && OnAnEdge(fetch)) continue;
    ++count;
    EXPECT_EQ(Sample(fetch.texture, fetch.texels.data(), fetch.coordinates), fetch.expected)
        << fetch.line;
  }
  EXPECT_GT(count, 400);
}

TEST(Texture, InterpolatesFloatsWithTheBitsOfTheGpu) {
  int count = 0;
  int equal = 0;
  for (const TextureFetch& fetch : RecordedFetches()) {
    if (!fetch.texture.interpolates || fetch.format != TextureFetch::kF32 ||
        fetch.dimensions == 3 || fetch.texture.normalized_coordinates) {
      continue;
    }
    ++count;
    const Texel got = Sample(fetch.texture, fetch.texels.data(), fetch.coordinates);
    equal += got == fetch.expected ? 1 : 0;
    // The sum of four products is rounded once here, which may differ on a GPU.
    EXPECT_LE(WorstDifference(got, fetch.expected), 5e-7) << fetch.line;
  }
  EXPECT_GT(count, 50);
  EXPECT_GE(equal, count * 95 / 100);
}

TEST(Texture, InterpolatesEverythingElseWithinTwoStepsOfAWeight) {
  constexpr double kRange[] = {16, 1, 2, 4};  // ranges of texels, by format
  int count = 0;
  for (const TextureFetch& fetch : RecordedFetches()) {
    if (!fetch.texture.interpolates) continue;
    ++count;
    const Texel got = Sample(fetch.texture, fetch.texels.data(), fetch.coordinates);
    EXPECT_LE(WorstDifference(got, fetch.expected), 2.0 / 256 * kRange[fetch.format]) << fetch.line;
  }
  EXPECT_GT(count, 400);
}

TEST(Texture, LinearMemoryIsZeroOutside) {
  const std::array<std::uint32_t, 3> data = {7, 8, 9};
  TextureDescriptor texture;
  texture.width = 3;
  texture.is_linear_memory = true;
  const auto* texels = reinterpret_cast<const std::byte*>(data.data());
  EXPECT_EQ(FetchAt(texture, texels, {2, 0, 0})[0], 9U);
  EXPECT_EQ(FetchAt(texture, texels, {3, 0, 0})[0], 0U);
  EXPECT_EQ(FetchAt(texture, texels, {-1, 0, 0})[0], 0U);
}

}  // namespace
}  // namespace warpcheck::emulator
