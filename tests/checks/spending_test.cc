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
  EXPECT_EQ(spending.Exhausted(kBudget), "1,000 warp instructions");
}

TEST(Spending, AddsUpRequests) {
  Spending spending;
  spending.Add({}, kLimits, {.number = 60, .bytes = 7'000}, milliseconds(0));
  EXPECT_EQ(spending.LeftOf(kBudget).number, 40U);
  EXPECT_EQ(spending.LeftOf(kBudget).bytes, 3'000U);
  Spending many = spending;
  many.Add({}, kLimits, {.number = 41, .bytes = 0}, milliseconds(0));
  EXPECT_EQ(many.Exhausted(kBudget), "100 requests to the device");
  EXPECT_EQ(many.LeftOf(kBudget).number, 0U);
  spending.Add({}, kLimits, {.number = 0, .bytes = 3'000}, milliseconds(0));
  EXPECT_EQ(spending.Exhausted(kBudget), "10,000 bytes moved");
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
  EXPECT_EQ(spending.Exhausted(kBudget), "20 s on the host");
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
  EXPECT_EQ(spending.Exhausted(kBudget), "1,000 warp instructions");
}

}  // namespace
}  // namespace warpcheck
