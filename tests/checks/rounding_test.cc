#include <gtest/gtest.h>

#include "checks/compare.h"

namespace warpcheck {
namespace {

TEST(RoundingBound, GrowsWithTheChainOfOperations) {
  EXPECT_EQ(RoundingBound(0), 0);
  EXPECT_EQ(RoundingBound(1), 0x1p-24 / (1 - 0x1p-24));
  EXPECT_DOUBLE_EQ(RoundingBound(1 << 23), 1.0);  // for this n, u n is 1 / 2
}

// Adds 2^-24 to 1 repeatedly. Each addition rounds to even and loses its term, which is the largest
// error that rounding can make. The bound is true, and exceeds the error by at most one rounding.
TEST(RoundingBound, HoldsTheWorstSumButLittleMore) {
  constexpr int kTerms = 1000;
  float sum = 1;
  for (int i = 0; i < kTerms; ++i) sum += 0x1p-24f;
  const double magnitudes = 1 + kTerms * 0x1p-24;
  const double error = magnitudes - static_cast<double>(sum);
  EXPECT_LE(error, RoundingBound(kTerms) * magnitudes);
  EXPECT_GT(error, RoundingBound(kTerms - 1) * (1 - 1e-4));
}

TEST(RoundingBoundDeathTest, RefusesWhatHasNoBound) {
  EXPECT_DEATH(RoundingBound(std::uint64_t{1} << 24), "no bound");
}

}  // namespace
}  // namespace warpcheck
