#include "hardware/measured_limiter.h"

#include <gmock/gmock.h>

namespace warpcheck {
namespace {

using testing::HasSubstr;

// A launch that keeps every multiprocessor, and no unit, busy.
LaunchUse Idle() {
  return {.memory = 0.1,
          .l2 = 0.1,
          .atomics = 0,
          .l1 = 0.1,
          .shared = 0,
          .constant = 0,
          .issue = 0.1,
          .arithmetic = 0.1,
          .occupancy = 0.5,
          .multiprocessors = 0.95,
          .load_waits = 0.1};
}

TEST(MeasuredLimiter, IsTheBusiestUnit) {
  LaunchUse use = Idle();
  use.memory = 0.91;
  use.l2 = 0.43;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kMemory);
  EXPECT_EQ(TextOf(use, {}, {}).limiter,
            "Limiter (measured): memory bandwidth, 91 % of its peak; next: the L2 cache, 43 %; "
            "warps: 50 % of those that fit.");
  EXPECT_THAT(TextOf(use, {}, {}).advice, HasSubstr("To do next: move fewer bytes"));
}

// The shares are those that an H100 had in the labs reduce and matmul.
TEST(MeasuredLimiter, CallsTheL1CacheSharedMemoryIfThatIsMostOfItsWork) {
  LaunchUse use = Idle();
  use.l1 = 0.87;
  use.shared = 0.82;
  use.arithmetic = 0.55;
  use.issue = 0.42;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kShared);
  use.l1 = 0.88;
  use.shared = 0.79;
  use.arithmetic = 0.85;
  use.issue = 0.85;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kIssue);
}

TEST(MeasuredLimiter, TakesMemoryWhereTheL2CacheIsAsBusy) {
  LaunchUse use = Idle();
  use.memory = 0.61;
  use.l2 = 0.62;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kMemory);
  use.l2 = 0.66;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kL2);
}

// The whole is as busy as its busiest part, which says more.
TEST(MeasuredLimiter, NamesThePartOfAUnit) {
  LaunchUse use = Idle();
  use.l1 = 0.9;
  use.shared = 0.88;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kShared);
  use.shared = 0.3;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kL1);
  use = Idle();
  use.arithmetic = 0.8;
  use.issue = 0.8;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kIssue);
  use.issue = 0.2;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kArithmetic);
}

TEST(MeasuredLimiter, IsAWaitWhereNoUnitIsBusy) {
  LaunchUse use = Idle();
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kWaits);
  use.load_waits = 0.7;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kLatency);
  EXPECT_EQ(TextOf(use, {}, {}).limiter,
            "Limiter (measured): the latency of loads, for which warps wait 70 % of their time; "
            "the busiest unit: memory bandwidth, 10 %; warps: 50 % of those that fit.");
  use.multiprocessors = 0.4;
  use.with_block = 1;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kLaunch);
  EXPECT_THAT(TextOf(use, {}, {}).advice, HasSubstr("give the launch more work"));
  use.with_block = 0.5;
  EXPECT_EQ(LimiterOf(use, {}), Limiter::kBlocks);
  EXPECT_THAT(TextOf(use, {}, {}).limiter, HasSubstr("a multiprocessor has a warp for 40 % of"));
}

// Few blocks do not limit a launch that takes hardly longer than an empty one.
TEST(MeasuredLimiter, IsTheStartOfAShortLaunch) {
  LaunchUse use = {.memory = 0.1, .multiprocessors = 0.4};
  use.with_block = 0.5;
  EXPECT_EQ(LimiterOf(use, LaunchTiming{.median_us = 50}), Limiter::kBlocks);
  const LaunchTiming timing = {.median_us = 4.12};
  EXPECT_EQ(LimiterOf(use, timing), Limiter::kLaunch);
  EXPECT_THAT(
      TextOf(use, timing, {}).limiter,
      HasSubstr("the start of the launch; the launch takes 4.1 us, and its start alone 3.7"));
  use.memory = 0.7;
  EXPECT_EQ(LimiterOf(use, timing), Limiter::kMemory) << "a busy unit is named all the same";
}

TEST(MeasuredLimiter, IsNotNamedWhereNothingWasMeasured) {
  EXPECT_EQ(LimiterOf({}, {}), std::nullopt);
  EXPECT_EQ(TextOf(LaunchUse{}, {}, {}).limiter, "");
  EXPECT_EQ(TextOf(LaunchUse{}, {}, {}).advice, "");
}

}  // namespace
}  // namespace warpcheck
