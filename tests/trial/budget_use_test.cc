#include "trial/budget_use.h"

#include <gtest/gtest.h>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr SubmissionBudget kBudget = {
    .instructions = 1000, .requests = 100, .bytes = 10'000, .host_time = seconds(20)};
constexpr CallLimits kLimits = {.instructions = 400, .host_time = seconds(10)};

TEST(BudgetUse, IsNothingAtFirst) {
  const BudgetUse use;
  EXPECT_EQ(use.Exhausted(kBudget), std::nullopt);
  EXPECT_EQ(use.Remaining(kBudget).number, 100U);
  EXPECT_EQ(use.Remaining(kBudget).bytes, 10'000U);
}

TEST(BudgetUse, AddsUpInstructions) {
  BudgetUse use;
  Trial trial = ReturnedTrial();
  trial.instructions = 250;
  use.Add({trial, trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(use.Exhausted(kBudget), std::nullopt);
  use.Add({trial, trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(use.Exhausted(kBudget),
            "1,000 warp instructions, slow ones counted several times (100 %)");
}

TEST(BudgetUse, AddsUpRequests) {
  BudgetUse use;
  use.Add({}, kLimits, {.number = 60, .bytes = 7'000}, milliseconds(0));
  EXPECT_EQ(use.Exhausted(kBudget),
            "60 requests to the device (60 %) and 7,000 bytes moved (70 %)");
  EXPECT_EQ(use.Remaining(kBudget).number, 0U);
}

// A submission that has used half of one part has half of every other part left.
TEST(BudgetUse, IsOneBudgetForAll) {
  BudgetUse use;
  Trial trial = ReturnedTrial();
  trial.instructions = 250;
  use.Add({trial}, kLimits, {.number = 25, .bytes = 0}, milliseconds(0));
  EXPECT_EQ(use.Remaining(kBudget).number, 50U);
  EXPECT_EQ(use.Remaining(kBudget).bytes, 5'000U);
  use.Add({}, kLimits, {}, seconds(8));
  EXPECT_EQ(use.Exhausted(kBudget), std::nullopt);
  use.Add({}, kLimits, {}, seconds(2));
  EXPECT_EQ(use.Exhausted(kBudget),
            "250 warp instructions, slow ones counted several times (25 %) and 25 requests to the "
            "device (25 %) and 10.0 s on the host, waiting included (50 %)");
}

// The time that was measured differs from run to run, so the limit is counted instead.
TEST(BudgetUse, ALimitIsUsedUpWhole) {
  Trial loops = EndedTrial(remote::CallEnd::kDisconnected);
  loops.ending.cause = sandbox::Cause::kCpuTime;
  Trial sleeps = EndedTrial(remote::CallEnd::kGivenUp);
  sleeps.ending.cause = sandbox::Cause::kIdle;
  BudgetUse use;
  use.Add({loops}, kLimits, {}, milliseconds(9'700));
  EXPECT_EQ(use.Exhausted(kBudget),
            "20.0 s on the host, waiting included, and twice where it did not return (100 %)");
  BudgetUse other;
  other.Add({sleeps}, kLimits, {}, milliseconds(3));
  EXPECT_EQ(other.Exhausted(kBudget), use.Exhausted(kBudget));
}

// Otherwise a program that crashes late would take this time in each call.
TEST(BudgetUse, ACallThatFailsCountsTwice) {
  Trial returns = ReturnedTrial();
  Trial crashes = EndedTrial(remote::CallEnd::kDisconnected);
  crashes.ending.cause = sandbox::Cause::kSignaled;
  BudgetUse use;
  use.Add({returns}, kLimits, {}, seconds(4));
  use.Add({returns, crashes}, kLimits, {}, seconds(7));
  EXPECT_EQ(use.Exhausted(kBudget), std::nullopt);
  use.Add({crashes}, kLimits, {}, seconds(1));
  EXPECT_EQ(use.Exhausted(kBudget),
            "20.0 s on the host, waiting included, and twice where it did not return (100 %)");
}

// In a shortage any calls use up the budget, however little they use.
TEST(BudgetUse, IsUsedUpInAShortage) {
  BudgetUse use(Shortage::kHostTime);
  for (int calls = 0; calls < 2; ++calls) use.Add({ReturnedTrial()}, kLimits, {}, seconds(0));
  EXPECT_NE(use.Exhausted(kBudget), std::nullopt);
  CallLimits limits = kLimits;
  limits.submission = kBudget;
  EXPECT_LT(LimitsIn(Shortage::kRequests, limits).submission.requests, kBudget.requests);
  EXPECT_LT(LimitsIn(Shortage::kBytes, {}).submission.bytes, SubmissionBudget().bytes);
  EXPECT_LT(InstructionsIn(Shortage::kInstructions, 1'000'000), 1'000'000U);
  EXPECT_EQ(InstructionsIn(Shortage::kHostTime, 1'000'000), 1'000'000U);
}

TEST(BudgetUse, AKernelThatDoesNotEndUsesUpItsCall) {
  Trial trial = ReturnedTrial();
  trial.instructions = 12;
  trial.launches = {LaunchOf("endless()")};
  trial.launches[0].error = DeviceError::kLaunchTimeout;
  BudgetUse use;
  for (int call = 0; call < 2; ++call) use.Add({trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(use.Exhausted(kBudget), std::nullopt);
  use.Add({trial}, kLimits, {}, milliseconds(0));
  EXPECT_EQ(use.Exhausted(kBudget),
            "1,200 warp instructions, slow ones counted several times (120 %)");
}

}  // namespace
}  // namespace warpcheck
