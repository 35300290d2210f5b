#include "gpu/cupti/use_meter.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "gpu/cupti/launch_counter.h"
#include "gpu/cupti_fake.h"

namespace warpcheck::gpu {
namespace {

using testing::HasSubstr;

constexpr char kMemory[] = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr char kIssue[] = "sm__inst_executed.avg.pct_of_peak_sustained_elapsed";
constexpr char kWarps[] = "smsp__average_warps_active_per_issue_active.ratio";
constexpr char kWaiting[] =
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";

class UseMeterTest : public testing::Test {
 protected:
  Result<LaunchUse> Launch() {
    if (auto begun = meter_.Begin(); !begun) return Fail(begun.error());
    return meter_.End();
  }

  CuptiFake fake_;
  UseMeter meter_{fake_.api, {}};
};

TEST_F(UseMeterTest, GivesShares) {
  fake_.counters = {{kMemory, 91}, {kIssue, 12.5}, {kWarps, 40}, {kWaiting, 30}};
  const auto use = Launch();
  ASSERT_TRUE(use) << use.error().Text();
  EXPECT_DOUBLE_EQ(use->memory.value(), 0.91);
  EXPECT_DOUBLE_EQ(use->issue.value(), 0.125);
  EXPECT_DOUBLE_EQ(use->load_waits.value(), 0.75);
  EXPECT_DOUBLE_EQ(use->shared.value(), 0);
}

TEST_F(UseMeterTest, LeavesOutWhatIsNotKnown) {
  fake_.unknown_metrics = {kMemory};
  fake_.counters = {{kIssue, std::numeric_limits<double>::quiet_NaN()}, {kWaiting, 30}};
  const auto use = Launch();
  ASSERT_TRUE(use) << use.error().Text();
  EXPECT_EQ(use->memory, std::nullopt);
  EXPECT_EQ(use->issue, std::nullopt);
  EXPECT_EQ(use->load_waits, std::nullopt) << "no instruction was issued";
}

TEST_F(UseMeterTest, KeepsTheCountersUntilItIsPaused) {
  for (int launch = 0; launch < 3; ++launch) {
    ASSERT_TRUE(Launch());
    EXPECT_TRUE(fake_.enabled);
  }
  EXPECT_EQ(std::count(fake_.calls.begin(), fake_.calls.end(), "cuptiRangeProfilerEnable"), 1);
  meter_.Pause();
  EXPECT_FALSE(fake_.enabled);
  EXPECT_TRUE(Launch());
}

// One process counts every launch, and measures some of them.
TEST_F(UseMeterTest, TakesTurnsWithTheTotals) {
  fake_.counters = {{"smsp__sass_inst_executed", 5}};
  TotalsCounter totals(fake_.api, {});
  for (int launch = 0; launch < 2; ++launch) {
    ASSERT_TRUE(totals.Begin());
    ASSERT_TRUE(totals.End({}));
    totals.Pause();
    const auto use = Launch();
    EXPECT_TRUE(use) << use.error().Text();
    meter_.Pause();
  }
}

TEST_F(UseMeterTest, SaysWhatFailed) {
  fake_.failures["cuptiRangeProfilerStop"] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  const auto use = Launch();
  ASSERT_FALSE(use);
  EXPECT_THAT(use.error().message, HasSubstr("may not read the GPU's counters"));
  EXPECT_FALSE(fake_.enabled);
}

}  // namespace
}  // namespace warpcheck::gpu
