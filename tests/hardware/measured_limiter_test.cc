#include "hardware/measured_limiter.h"

#include <gmock/gmock.h>

namespace warpcheck {
namespace {

using testing::HasSubstr;

// A launch that keeps every multiprocessor, and no unit, busy.
LaunchRecord Idle() {
  LaunchRecord record;
  record.use = {.memory = 0.1,
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
  return record;
}

TEST(MeasuredLimiter, IsTheBusiestUnit) {
  LaunchRecord record = Idle();
  LaunchUse& use = *record.use;
  use.memory = 0.91;
  use.l2 = 0.43;
  EXPECT_EQ(LimiterOf(record), Limiter::kMemory);
  EXPECT_EQ(TextOf(record).limiter,
            "Limiter (measured): memory bandwidth, 91 % of its peak; next: the L2 cache, 43 %; "
            "warps: 50 % of those that fit.");
  EXPECT_THAT(TextOf(record).advice, HasSubstr("To do next: move fewer bytes"));
}

// The shares are those that an H100 had in the labs reduce and matmul.
TEST(MeasuredLimiter, CallsTheL1CacheSharedMemoryIfThatIsMostOfItsWork) {
  LaunchRecord record = Idle();
  LaunchUse& use = *record.use;
  use.l1 = 0.87;
  use.shared = 0.82;
  use.arithmetic = 0.55;
  use.issue = 0.42;
  EXPECT_EQ(LimiterOf(record), Limiter::kShared);
  use.l1 = 0.88;
  use.shared = 0.79;
  use.arithmetic = 0.85;
  use.issue = 0.85;
  EXPECT_EQ(LimiterOf(record), Limiter::kIssue);
}

TEST(MeasuredLimiter, TakesMemoryWhereTheL2CacheIsAsBusy) {
  LaunchRecord record = Idle();
  LaunchUse& use = *record.use;
  use.memory = 0.61;
  use.l2 = 0.62;
  EXPECT_EQ(LimiterOf(record), Limiter::kMemory);
  use.l2 = 0.66;
  EXPECT_EQ(LimiterOf(record), Limiter::kL2);
}

// The whole is as busy as its busiest part, which says more.
TEST(MeasuredLimiter, NamesThePartOfAUnit) {
  LaunchRecord record = Idle();
  LaunchUse& use = *record.use;
  use.l1 = 0.9;
  use.shared = 0.88;
  EXPECT_EQ(LimiterOf(record), Limiter::kShared);
  use.shared = 0.3;
  EXPECT_EQ(LimiterOf(record), Limiter::kL1);
  record = Idle();
  use.arithmetic = 0.8;
  use.issue = 0.8;
  EXPECT_EQ(LimiterOf(record), Limiter::kIssue);
  use.issue = 0.2;
  EXPECT_EQ(LimiterOf(record), Limiter::kArithmetic);
}

TEST(MeasuredLimiter, IsAWaitWhereNoUnitIsBusy) {
  LaunchRecord record = Idle();
  LaunchUse& use = *record.use;
  EXPECT_EQ(LimiterOf(record), Limiter::kWaits);
  use.load_waits = 0.7;
  EXPECT_EQ(LimiterOf(record), Limiter::kLatency);
  EXPECT_EQ(TextOf(record).limiter,
            "Limiter (measured): the latency of loads, for which warps wait 70 % of their time; "
            "the busiest unit: memory bandwidth, 10 %; warps: 50 % of those that fit.");
  use.multiprocessors = 0.4;
  use.with_block = 1;
  EXPECT_EQ(LimiterOf(record), Limiter::kLaunch);
  EXPECT_THAT(TextOf(record).advice, HasSubstr("give the launch more work"));
  use.with_block = 0.5;
  EXPECT_EQ(LimiterOf(record), Limiter::kBlocks);
  EXPECT_THAT(TextOf(record).limiter, HasSubstr("a multiprocessor has a warp for 40 % of"));
}

// Few blocks do not limit a launch that takes hardly longer than an empty one.
TEST(MeasuredLimiter, IsTheStartOfAShortLaunch) {
  LaunchRecord record = Idle();
  record.use->multiprocessors = 0.4;
  record.use->with_block = 0.5;
  record.timing = {.median_us = 50};
  EXPECT_EQ(LimiterOf(record), Limiter::kBlocks);
  record.timing->median_us = 4.12;
  EXPECT_EQ(LimiterOf(record), Limiter::kLaunch);
  EXPECT_THAT(
      TextOf(record).limiter,
      HasSubstr("the start of the launch; the launch takes 4.1 us, and its start alone 3.7"));
  record.use->memory = 0.7;
  EXPECT_EQ(LimiterOf(record), Limiter::kMemory) << "a busy unit is named all the same";
}

TEST(MeasuredLimiter, IsNotNamedWhereNothingWasMeasured) {
  LaunchRecord record;
  EXPECT_EQ(LimiterOf(record), std::nullopt);
  EXPECT_EQ(TextOf(record).limiter, "");
  record.use.emplace();
  EXPECT_EQ(LimiterOf(record), std::nullopt);
  EXPECT_EQ(TextOf(record).limiter, "");
  EXPECT_EQ(TextOf(record).advice, "");
}

}  // namespace
}  // namespace warpcheck
