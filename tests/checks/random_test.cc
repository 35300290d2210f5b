#include "checks/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "checks/compare.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST(Random, IsTheSameForTheSameSeedAndLabel) {
  EXPECT_EQ(Random(7, "32x32").Floats(100), Random(7, "32x32").Floats(100));
  EXPECT_NE(Random(7, "32x32").Floats(100), Random(8, "32x32").Floats(100));
  EXPECT_NE(Random(7, "32x32").Floats(100), Random(7, "32x33").Floats(100));
}

// These numbers must not change, because inputs are equal on every machine, and the seed of an old
// report repeats its run.
TEST(Random, GivesTheseNumbers) {
  const auto floats = Random(20260, "1000x1003").Floats(3);
  EXPECT_THAT(floats, ElementsAre(-0.135291323f, -0.135291323f, -0.552702844f));
}

TEST(Random, StaysInItsRange) {
  for (const float value : Random(1, "a").Floats(10'000, 2, 3)) {
    ASSERT_GE(value, 2.0f);
    ASSERT_LT(value, 3.0f);
  }
  std::set<int> seen;
  for (const int value : Random(1, "a").Ints(1'000, -2, 2)) seen.insert(value);
  EXPECT_THAT(seen, ElementsAre(-2, -1, 0, 1, 2));
}

// Returns the percentage of values for which holds() is true.
double Percent(const std::vector<float>& values, bool (*holds)(float)) {
  return 100.0 * static_cast<double>(std::ranges::count_if(values, holds)) /
         static_cast<double>(values.size());
}

TEST(Random, MixesInWhatProgramsTreatOtherwise) {
  const std::vector<float> values = Random(1, "a").Floats(100'000, -1, 1, kAnyFloat);
  const auto is_zero = [](float value) { return value == 0 && !std::signbit(value); };
  const auto is_negative_zero = [](float value) { return value == 0 && std::signbit(value); };
  const auto is_denormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
  const auto is_infinite = [](float value) { return std::isinf(value); };
  const auto is_nan = [](float value) { return std::isnan(value) && !IsUnwritten(value); };
  const auto is_large = [](float value) { return std::isfinite(value) && std::abs(value) > 1e6; };
  EXPECT_THAT(Percent(values, is_zero), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_negative_zero), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_denormal), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_infinite), testing::DoubleNear(2, 0.5));
  EXPECT_THAT(Percent(values, is_nan), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_large), testing::DoubleNear(2.4, 0.5));
  EXPECT_FALSE(std::ranges::any_of(values, &IsUnwritten<float>));
  EXPECT_EQ(BytesOf(values), BytesOf(Random(1, "a").Floats(100'000, -1, 1, kAnyFloat)));

  const std::vector<float> plain = Random(1, "a").Floats(100'000, -1, 1, kPlain);
  EXPECT_EQ(std::ranges::count(plain, 0.0F), 0);
  EXPECT_TRUE(std::ranges::all_of(plain, [](float value) { return std::isnormal(value); }));
}

TEST(Random, HasAllKindsAmongFewNumbers) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<float> values = Random(seed, "few").Floats(kAllKinds, -8, 8, kAnyFloat);
    const auto any = [&](auto holds) { return std::ranges::any_of(values, holds); };
    EXPECT_TRUE(any([](float value) { return value > 0x1p126F && std::isfinite(value); }));
    EXPECT_TRUE(any([](float value) { return value < -0x1p126F && std::isfinite(value); }));
    EXPECT_TRUE(any([](float value) { return value == 0 && std::signbit(value); }));
    EXPECT_TRUE(any([](float value) { return value == 0 && !std::signbit(value); }));
    EXPECT_TRUE(any([](float value) { return std::isinf(value) && value > 0; }));
    EXPECT_TRUE(any([](float value) { return std::isinf(value) && value < 0; }));
    EXPECT_TRUE(any([](float value) { return std::isnan(value); }));
    EXPECT_TRUE(any([](float value) { return std::fpclassify(value) == FP_SUBNORMAL; }));
  }
}

TEST(Random, GivesMultiplesThatAddUpExactly) {
  const std::vector<float> values = Random(1, "a").Multiples(10'000, 0.25F, -1000, 1000);
  for (const float value : values) {
    ASSERT_LE(std::abs(value), 250);
    ASSERT_EQ(value * 4, std::round(value * 4));
  }
  for (const float wanted : {0.0F, -0.0F, 250.0F, -250.0F}) {
    EXPECT_GT(std::ranges::count_if(
                  values,
                  [&](float value) { return BytesOf<float>({value}) == BytesOf<float>({wanted}); }),
              50);
  }
  for (const float value : Random(1, "a").Multiples(1'000, 1, 1, 3)) EXPECT_GE(value, 1);
}

TEST(Random, DrawsDoublesWithAllTheirBits) {
  const std::vector<double> values = Random(1, "a").Doubles(100'000, -1, 1, kAnyFloat);
  const auto count = [&](auto holds) {
    return static_cast<double>(std::ranges::count_if(values, holds));
  };
  EXPECT_NEAR(count([](double value) { return value == 0 && std::signbit(value); }), 3'000, 500);
  EXPECT_NEAR(count([](double value) { return std::fpclassify(value) == FP_SUBNORMAL; }), 3'000,
              500);
  EXPECT_NEAR(count([](double value) { return std::isinf(value); }), 2'000, 500);
  EXPECT_NEAR(count([](double value) { return std::isnan(value) && !IsUnwritten(value); }), 3'000,
              500);
  EXPECT_FALSE(std::ranges::any_of(values, &IsUnwritten<double>));
  // No float has most of these values.
  EXPECT_GT(count([](double value) { return value != static_cast<double>(float(value)); }), 80'000);
  for (const double value : Random(1, "a").Doubles(10'000, 2, 3)) {
    ASSERT_GE(value, 2.0);
    ASSERT_LT(value, 3.0);
  }
}

TEST(Random, DrawsBytesWithExtremesAndRuns) {
  const std::vector<unsigned char> values = Random(1, "a").Bytes(100'000);
  EXPECT_GT(std::ranges::count(values, 0), 2'000);
  EXPECT_GT(std::ranges::count(values, 255), 2'000);
  EXPECT_EQ(std::set<int>(values.begin(), values.end()).size(), 256U);
  const auto equal_to_last = [&](std::size_t i) { return values[i] == values[i - 1]; };
  std::size_t longest = 0;
  std::size_t now = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    now = equal_to_last(i) ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  EXPECT_GT(longest, 30U);
  for (const int value : Random(1, "a").Bytes(1'000, 'a', 'z')) {
    ASSERT_GE(value, 'a');
    ASSERT_LE(value, 'z');
  }
}

TEST(Random, DrawsPermutations) {
  std::vector<int> values = Random(1, "a").Permutation(1'000);
  EXPECT_FALSE(std::ranges::is_sorted(values));
  EXPECT_NE(values, Random(2, "a").Permutation(1'000));
  std::ranges::sort(values);
  for (int i = 0; i < 1'000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i);
  EXPECT_THAT(Random(1, "a").Permutation(0), testing::IsEmpty());
}

TEST(Random, DrawsImagesWithEdgesAndExtremes) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<unsigned char> image = Random(seed, "a").Image(60, 80);
    ASSERT_EQ(image.size(), 4'800U);
    EXPECT_GT(std::ranges::count(image, 0), 0);
    EXPECT_GT(std::ranges::count(image, 255), 0);
    int edges = 0;
    for (std::size_t i = 1; i < image.size(); ++i) {
      if (i % 80 != 0 && std::abs(image[i] - image[i - 1]) > 40) ++edges;
    }
    EXPECT_GT(edges, 10);
    EXPECT_GT(std::set<int>(image.begin(), image.end()).size(), 100U);
  }
  EXPECT_EQ(Random(1, "a").Image(1, 1).size(), 1U);
  EXPECT_THAT(Random(1, "a").Image(0, 5), testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck
