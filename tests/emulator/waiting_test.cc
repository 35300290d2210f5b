// Tests threads that wait for each other, in kernels that nvcc compiled from data/waiting.cu:
// blocks at a grid's barrier, and blocks and lanes at a lock or a flag.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/files.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Waiting : public testing::TestWithParam<int> {
 protected:
  Waiting() : device_(WithOrder(GetParam())) {
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/waiting.ptx");
    EXPECT_TRUE(ptx.has_value());
    if (ptx) device_.Load(*ptx);
  }

  // Returns options for the order of blocks and warps: by number if the seed is 0, otherwise as the
  // seed says.
  static Options WithOrder(int seed) {
    Options options;
    if (seed != 0) options.order_seed = static_cast<std::uint64_t>(seed);
    options.instruction_budget = 100'000'000;
    return options;
  }

  DeviceAddress Zeros(std::size_t count) { return device_.Upload(std::vector<int>(count, 0)); }

  DeviceError Launch(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                     const Parameters& parameters, bool cooperative = false) {
    return device_.Launch(kernel, {blocks, 1, 1}, {threads, 1, 1}, parameters, 0, cooperative);
  }

  TestDevice device_;
};

INSTANTIATE_TEST_SUITE_P(Orders, Waiting, testing::Values(0, 1, 2));

TEST_P(Waiting, GridSyncKeepsThePhasesOfAllBlocksApart) {
  constexpr int kThreads = 40 * 96;
  constexpr int kRounds = 5;
  std::vector<int> a(kThreads);
  std::iota(a.begin(), a.end(), 0);
  const DeviceAddress from = device_.Upload(a);
  const DeviceAddress to = Zeros(kThreads);
  ASSERT_EQ(Launch("rotate", 40, 96, Parameters().Add(from).Add(to).Add(kRounds), true),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  std::vector<int> expected(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    expected[static_cast<std::size_t>(i)] = (i + 97 * kRounds) % kThreads + kRounds;
  }
  EXPECT_EQ(device_.Download<int>(from, kThreads), expected);
}

TEST_P(Waiting, ReducesOverTheGrid) {
  constexpr int kCount = 100'000;
  constexpr std::uint32_t kBlocks = 33;
  const DeviceAddress in = device_.Upload(std::vector<int>(kCount, 3));
  const DeviceAddress out = Zeros(1 + kBlocks);
  ASSERT_EQ(Launch("reduce", kBlocks, 256, Parameters().Add(in).Add(out).Add(kCount), true),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  EXPECT_EQ(device_.Download<int>(out, 1).front(), 3 * kCount);
}

TEST_P(Waiting, GridSyncNeedsACooperativeLaunch) {
  const DeviceAddress a = Zeros(32);
  EXPECT_EQ(Launch("rotate", 1, 32, Parameters().Add(a).Add(a).Add(1)),
            DeviceError::kLaunchFailure);
  EXPECT_THAT(device_.Findings(),
              ElementsAre("trap: the kernel executes a trap instruction: a grid's sync() needs a "
                          "launch by cudaLaunchCooperativeKernel"));
}

TEST_P(Waiting, CooperativeGridsHaveToFit) {
  const DeviceAddress a = Zeros(32);
  EXPECT_EQ(Launch("rotate", 132 * 2 + 1, 1024, Parameters().Add(a).Add(a).Add(1), true),
            DeviceError::kCooperativeLaunchTooLarge);
  EXPECT_THAT(
      device_.Findings(),
      ElementsAre("invalid_launch: the launch of rotate fails with "
                  "cudaErrorCooperativeLaunchTooLarge: a cooperative launch needs room "
                  "for all its 265 blocks at once, and the device holds 264: 2 on each of "
                  "132 multiprocessors (see cudaOccupancyMaxActiveBlocksPerMultiprocessor); "
                  "launch fewer blocks, and let each do more of the work"));
}

TEST_P(Waiting, LocksPassFromThreadToThread) {
  constexpr int kRounds = 3;
  constexpr std::uint32_t kBlocks = 4;
  constexpr std::uint32_t kThreads = 96;
  constexpr int kAll = kBlocks * kThreads * kRounds;
  const DeviceAddress mutex = Zeros(1);
  const DeviceAddress sum = Zeros(1);
  const DeviceAddress order = Zeros(kAll);
  ASSERT_EQ(
      Launch("lock", kBlocks, kThreads, Parameters().Add(mutex).Add(sum).Add(order).Add(kRounds)),
      DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  EXPECT_EQ(device_.Download<int>(sum, 1).front(), kAll);
  std::vector<int> tickets = device_.Download<int>(order, kAll);
  std::ranges::sort(tickets);
  std::vector<int> expected(kAll);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(tickets, expected);
}

TEST_P(Waiting, LanesThatPartedMeetAtAShuffle) {
  const DeviceAddress mutex = Zeros(1);
  const DeviceAddress sum = Zeros(1);
  const DeviceAddress out = Zeros(64);
  ASSERT_EQ(Launch("lock_then_shuffle", 1, 64, Parameters().Add(mutex).Add(sum).Add(out)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  const auto totals = device_.Download<int>(out, 64);
  EXPECT_EQ(std::set<int>(totals.begin(), totals.begin() + 32).size(), 1U);
  EXPECT_EQ(device_.Download<int>(sum, 1).front(), 64);
  EXPECT_EQ(totals.front() + totals.back(), 63 * 64 / 2);
}

TEST_P(Waiting, LanesWaitForEachOtherInTurn) {
  const DeviceAddress token = Zeros(1);
  const DeviceAddress out = Zeros(32);
  ASSERT_EQ(Launch("chain", 1, 32, Parameters().Add(token).Add(out)), DeviceError::kSuccess);
  std::vector<int> expected(32);
  for (int i = 0; i < 32; ++i) expected[static_cast<std::size_t>(i)] = 10 * (31 - i);
  EXPECT_EQ(device_.Download<int>(out, 32), expected);
}

TEST_P(Waiting, LanesPartWithinFunctions) {
  const DeviceAddress mutex = Zeros(1);
  const DeviceAddress sum = Zeros(1);
  const DeviceAddress out = Zeros(32);
  ASSERT_EQ(Launch("lock_in_function", 1, 32, Parameters().Add(mutex).Add(sum).Add(out).Add(2)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  std::vector<int> tickets = device_.Download<int>(out, 32);
  std::ranges::sort(tickets);
  std::vector<int> expected(32);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(tickets, expected);
}

TEST_P(Waiting, BlocksThatWaitAreUnderWayAtOnce) {
  constexpr std::uint32_t kBlocks = 100;
  constexpr std::uint32_t kThreads = 64;
  constexpr int kAll = kBlocks * kThreads;
  const DeviceAddress count = Zeros(1);
  const DeviceAddress a = Zeros(kAll);
  const DeviceAddress b = Zeros(kAll);
  ASSERT_EQ(Launch("own_barrier", kBlocks, kThreads, Parameters().Add(count).Add(a).Add(b)),
            DeviceError::kSuccess);
  EXPECT_THAT(device_.Findings(), IsEmpty());
  std::vector<int> expected(kAll);
  for (int i = 0; i < kAll; ++i) expected[static_cast<std::size_t>(i)] = kAll - 1 - i;
  EXPECT_EQ(device_.Download<int>(b, kAll), expected);
}

TEST_P(Waiting, ALoopThatPollsMayHaveBarriers) {
  for (const std::string kernel :
       {"polls_between_barriers", "polls_with_a_vote", "polls_between_named_barriers",
        "polls_in_groups", "polls_in_a_branch_of_a_warp", "polls_between_phases"}) {
    const DeviceAddress flag = Zeros(1);
    const DeviceAddress out = Zeros(64);
    ASSERT_EQ(Launch(kernel, 2, 64, Parameters().Add(flag).Add(out)), DeviceError::kSuccess)
        << kernel;
    EXPECT_THAT(device_.Findings(), IsEmpty()) << kernel;
    EXPECT_EQ(device_.Download<int>(out, 64), std::vector<int>(64, 1)) << kernel;
  }
}

TEST_P(Waiting, ALoopWithBarriersThatPollsForNothingEndsAtTheBudget) {
  EXPECT_EQ(Launch("polls_for_nothing_between_barriers", 3, 64,
                   Parameters().Add(Zeros(1)).Add(Zeros(64))),
            DeviceError::kLaunchTimeout);
  EXPECT_THAT(device_.Findings(), ElementsAre(HasSubstr("budget_exceeded: ")));
}

TEST_P(Waiting, MoreBlocksThanFitHang) {
  constexpr std::uint32_t kBlocks = 132 * 2 + 1;
  const DeviceAddress count = Zeros(1);
  const DeviceAddress a = Zeros(std::size_t{kBlocks} * 1024);
  EXPECT_EQ(Launch("own_barrier", kBlocks, 1024, Parameters().Add(count).Add(a).Add(a)),
            DeviceError::kLaunchTimeout);
  EXPECT_THAT(device_.Findings(),
              ElementsAre(HasSubstr("waits for a value that no running thread writes")));
}

TEST_P(Waiting, WaitingForNothingEndsAtTheBudget) {
  EXPECT_EQ(Launch("never", 3, 40, Parameters().Add(Zeros(1))), DeviceError::kLaunchTimeout);
  EXPECT_THAT(
      device_.Findings(),
      ElementsAre("budget_exceeded: the kernel did not end within its budget of 100,000,000 "
                  "warp instructions, and was stopped here, in a loop that waits for a "
                  "value that no running thread writes"));
}

}  // namespace
}  // namespace warpcheck::emulator
