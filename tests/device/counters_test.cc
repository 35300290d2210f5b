#include "device/counters.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

CounterSet Counters(std::uint64_t sectors, std::uint64_t ideal) {
  CounterSet counters;
  counters.Set(Counter::kGlobalSectors, sectors);
  counters.Set(Counter::kGlobalSectorsIdeal, ideal);
  return counters;
}

TEST(Counters, HaveOneNameEach) {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    EXPECT_EQ(CounterNamed(Info(counter).name), counter);
  }
  EXPECT_EQ(CounterNamed("global_sector"), std::nullopt);
}

TEST(CounterSet, AddsWhatIsMeasuredOnBothSides) {
  CounterSet sum = Counters(8, 4);
  sum += Counters(2, 1);
  EXPECT_EQ(sum, Counters(10, 5));

  CounterSet half;
  half.Set(Counter::kGlobalSectors, 1);
  sum += half;
  EXPECT_EQ(sum[Counter::kGlobalSectors], 11);
  EXPECT_EQ(sum[Counter::kGlobalSectorsIdeal], std::nullopt);
}

TEST(Coalescing, IsTheShareOfTheIdeal) {
  EXPECT_EQ(Coalescing(Counters(8, 4)), 0.5);
  EXPECT_EQ(Coalescing(Counters(0, 0)), 1.0);
  EXPECT_EQ(Coalescing(CounterSet()), std::nullopt);
}

TEST(ExcessiveWavefronts, AreThoseBeyondTheIdeal) {
  CounterSet counters;
  EXPECT_EQ(ExcessiveWavefronts(counters), std::nullopt);
  counters.Set(Counter::kSharedWavefronts, 32);
  EXPECT_EQ(ExcessiveWavefronts(counters), std::nullopt);
  counters.Set(Counter::kSharedWavefrontsIdeal, 1);
  EXPECT_EQ(ExcessiveWavefronts(counters), 31);
}

}  // namespace
}  // namespace warpcheck
