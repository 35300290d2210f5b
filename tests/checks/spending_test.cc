#include <gtest/gtest.h>

#include "checks/fakes.h"
#include "checks/runner.h"

namespace warpcheck {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr SubmissionBudget kBudget = {
    .instructions = 1000, .requests = 100, .bytes = 10'000, .host_time = seconds(20)};
constexpr CallLimits kLimits = {.instructions = 400, .host_time = seconds(10)};

TEST(Spending, IsNothingAtFirst) {
  const Spending spending;
  EXPECT_EQ(spending.Exhausted(kBudget), std::nullopt);
  EXPECT_EQ(spending.LeftOf(kBudget).number, 100U);
  EXPECT_EQ(spending.LeftOf(kBudget).bytes, 10'000U);
}

TEST(Spending, AddsUpInstructions) {
  Spending spending;
  Trial trial = ReturnedTrial();
  trial.instructions = 250;
  spending.Add({trial, trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(spending.Exhausted(kBudget), std::nullopt);
  spending.Add({trial, trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(spending.Exhausted(kBudget),
            "1,000 warp instructions, dear ones counted several times (100 %)");
}

TEST(Spending, AddsUpRequests) {
  Spending spending;
  spending.Add({}, kLimits, {.number = 60, .bytes = 7'000}, milliseconds(0));
  EXPECT_EQ(spending.Exhausted(kBudget),
            "60 requests to the device (60 %) and 7,000 bytes moved (70 %)");
  EXPECT_EQ(spending.LeftOf(kBudget).number, 0U);
}

// Who has used half of one thing has half of every other left.
TEST(Spending, IsOneBudgetForAll) {
  Spending spending;
  Trial trial = ReturnedTrial();
  trial.instructions = 250;
  spending.Add({trial}, kLimits, {.number = 25, .bytes = 0}, milliseconds(0));
  EXPECT_EQ(spending.LeftOf(kBudget).number, 50U);
  EXPECT_EQ(spending.LeftOf(kBudget).bytes, 5'000U);
  spending.Add({}, kLimits, {}, seconds(8));
  EXPECT_EQ(spending.Exhausted(kBudget), std::nullopt);
  spending.Add({}, kLimits, {}, seconds(2));
  EXPECT_EQ(spending.Exhausted(kBudget),
            "250 warp instructions, dear ones counted several times (25 %) and 25 requests to the "
            "device (25 %) and 10.0 s on the host, waiting included (50 %)");
}

// Whatever was measured of it, which differs from run to run.
TEST(Spending, ALimitIsUsedUpWhole) {
  Trial loops = EndedTrial(remote::CallEnd::kDisconnected);
  loops.ending.cause = sandbox::Cause::kCpuTime;
  Trial sleeps = EndedTrial(remote::CallEnd::kGivenUp);
  sleeps.ending.cause = sandbox::Cause::kIdle;
  Spending spending;
  spending.Add({loops}, kLimits, {}, milliseconds(9'700));
  EXPECT_EQ(spending.Exhausted(kBudget), std::nullopt);
  spending.Add({sleeps}, kLimits, {}, milliseconds(3));
  EXPECT_EQ(spending.Exhausted(kBudget), "20.0 s on the host, waiting included (100 %)");
}

TEST(Spending, AKernelThatDoesNotEndUsesUpItsCall) {
  Trial trial = ReturnedTrial();
  trial.instructions = 12;
  trial.launches = {LaunchOf("endless()")};
  trial.launches[0].error = DeviceError::kLaunchTimeout;
  Spending spending;
  for (int call = 0; call < 2; ++call) spending.Add({trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(spending.Exhausted(kBudget), std::nullopt);
  spending.Add({trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(spending.Exhausted(kBudget),
            "1,200 warp instructions, dear ones counted several times (120 %)");
}

}  // namespace
}  // namespace warpcheck
