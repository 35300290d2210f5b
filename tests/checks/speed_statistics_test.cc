#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "checks/speed/statistics.h"

namespace warpcheck {
namespace {

using testing::DoubleEq;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<double> OneTo(int last) {
  std::vector<double> numbers;
  for (int i = 1; i <= last; ++i) numbers.push_back(i);
  return numbers;
}

// The ranks are those of tables of the sign test's interval for 95 %: from 6 numbers on the lowest
// and the highest, from 9 on the second, 3 of 12, 6 of 20, 14 of 40.
TEST(SpeedStatistics, TakesTheIntervalOfTheSignTest) {
  const std::pair<int, int> kRanks[] = {{1, 1},  {2, 1},  {5, 1},  {6, 1},  {8, 1},  {9, 2},
                                        {11, 2}, {12, 3}, {15, 4}, {20, 6}, {25, 8}, {40, 14}};
  for (const auto& [count, rank] : kRanks) {
    const RatioInterval interval = IntervalOf(OneTo(count));
    EXPECT_EQ(interval.low, rank) << count;
    EXPECT_EQ(interval.high, count + 1 - rank) << count;
    EXPECT_EQ(interval.ratio, (count + 1) / 2.0) << count;
  }
}

TEST(SpeedStatistics, DoesNotDependOnTheOrder) {
  std::vector<double> ratios = OneTo(15);
  std::ranges::reverse(ratios);
  EXPECT_EQ(IntervalOf(ratios).low, 4);
  EXPECT_EQ(IntervalOf(ratios).ratio, 8);
}

// The interval contains the median of a skewed distribution as often as it promises.
TEST(SpeedStatistics, ContainsTheMedianInNineteenOfTwentyRuns) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> ratio(0.0, 0.05);  // its median is 1
  int contained = 0;
  constexpr int kRuns = 2'000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> ratios(12);
    for (double& one : ratios) one = ratio(random);
    const RatioInterval interval = IntervalOf(ratios);
    if (interval.low <= 1 && 1 <= interval.high) ++contained;
  }
  EXPECT_GE(contained, kRuns * 94 / 100);
}

TEST(SpeedStatistics, OneWildTimeChangesLittle) {
  std::vector<double> ratios(12, 0.9);
  ratios[5] = 30;
  const RatioInterval interval = IntervalOf(ratios);
  EXPECT_EQ(interval.ratio, 0.9);
  EXPECT_EQ(interval.low, 0.9);
  EXPECT_EQ(interval.high, 0.9);
}

TEST(SpeedStatistics, AllowsForDifferencesBetweenRuns) {
  const RatioInterval exact = Widened({.ratio = 1, .low = 1, .high = 1});
  EXPECT_THAT(exact.low, DoubleEq(1 / 1.03));
  EXPECT_THAT(exact.high, DoubleEq(1.03));
  const RatioInterval wide = Widened({.ratio = 1, .low = 0.9, .high = 1.2});
  EXPECT_EQ(wide.low, 0.9);
  EXPECT_EQ(wide.high, 1.2);
}

// Whatever the target: if ratios of two runs differ by at most 3 %, one of them cannot meet what
// the other misses.
TEST(SpeedStatistics, NeverContradictsItselfInTwoRuns) {
  for (int step = 0; step < 200; ++step) {  // to a ratio of 2
    const double ratio = 0.5 * std::pow(1.007, step);
    const RatioInterval slow = Widened({ratio, ratio, ratio});
    const RatioInterval fast = Widened({ratio * 1.03, ratio * 1.03, ratio * 1.03});
    EXPECT_GE(slow.high * (1 + 1e-12), fast.low);
  }
}

TimedPair At(std::uint32_t reference_mhz, std::uint32_t submission_mhz) {
  return {.reference_us = 10,
          .submission_us = 10,
          .reference_mhz = reference_mhz,
          .submission_mhz = submission_mhz};
}

TEST(SpeedStatistics, DropsPairsWithLoweredClocks) {
  const std::vector<TimedPair> pairs = {At(1980, 1980), At(1400, 1400), At(1980, 1965),
                                        At(1485, 1485)};
  const std::vector<TimedPair> steady = WithSteadyClocks(pairs);
  ASSERT_THAT(steady, SizeIs(3));
  EXPECT_EQ(steady[1].submission_mhz, 1965U);
  EXPECT_EQ(steady[2].reference_mhz, 1485U);
}

// A submission that heats the GPU, so that the reference gets a lower clock, gains nothing.
TEST(SpeedStatistics, DropsPairsWhoseClocksDiffer) {
  EXPECT_THAT(WithSteadyClocks(std::vector{At(1700, 1980), At(1980, 1700)}), IsEmpty());
  EXPECT_THAT(WithSteadyClocks(std::vector{At(1950, 1980)}), SizeIs(1));
}

// A device that does not tell its clock has none that could be lowered.
TEST(SpeedStatistics, KeepsPairsWithoutClocks) {
  EXPECT_THAT(WithSteadyClocks(std::vector{At(0, 0)}), SizeIs(1));
}

TEST(SpeedStatistics, StopsWhenTheIntervalIsNarrow) {
  std::vector<TimedPair> pairs(kFewestPairs - 1, At(1, 1));
  EXPECT_FALSE(IsEnough(pairs));
  pairs.push_back(At(1, 1));
  EXPECT_TRUE(IsEnough(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].submission_us = i % 2 == 0 ? 10 : 10.5;
  }
  EXPECT_FALSE(IsEnough(pairs));
}

TEST(SpeedStatistics, KnowsWhatSaysNothing) {
  EXPECT_FALSE(IsTooScattered({.ratio = 1, .low = 0.95, .high = 1.05}));
  EXPECT_TRUE(IsTooScattered({.ratio = 1, .low = 0.95, .high = 1.2}));
  EXPECT_TRUE(IsTooScattered({.ratio = 1, .low = 0.8, .high = 1.01}));
}

}  // namespace
}  // namespace warpcheck
