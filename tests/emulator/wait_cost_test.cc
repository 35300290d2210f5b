// Tests what loops that wait take from the budget.
#include "emulator/core/wait_cost.h"

#include <gtest/gtest.h>

namespace warpcheck::emulator {
namespace {

Warp Turn(bool went_on, WarpState state, std::uint32_t spin_cost = 0) {
  Warp warp;
  warp.went_on = went_on;
  warp.running.state = state;
  warp.spin_cost = spin_cost;
  return warp;
}

TEST(WaitCost, GivesPollsBackWhenAWarpGoesOn) {
  WaitCost waits;
  const Warp polls = Turn(false, WarpState::kSpun, 20);
  EXPECT_EQ(waits.GivenBack(polls, 25), 0U);
  EXPECT_EQ(waits.GivenBack(polls, 25), 0U);
  const Warp works = Turn(true, WarpState::kReady);
  EXPECT_EQ(waits.GivenBack(works, 1000), 50U);
  EXPECT_EQ(waits.GivenBack(works, 1000), 0U);
  EXPECT_EQ(waits.NobodyWentOn(), 0U);
}

// The work before the loop is no wait.
TEST(WaitCost, GivesTheFirstPollBackAlone) {
  WaitCost waits;
  EXPECT_EQ(waits.GivenBack(Turn(true, WarpState::kSpun, 20), 500), 0U);
  EXPECT_EQ(waits.GivenBack(Turn(true, WarpState::kReady), 1000), 28U);
}

TEST(WaitCost, GivesBackAtMostFourTimesTheWork) {
  WaitCost waits;
  const Warp polls = Turn(false, WarpState::kSpun, 20);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(waits.GivenBack(polls, 25), 0U);
  EXPECT_EQ(waits.GivenBack(Turn(true, WarpState::kReady), 10), 40U);
}

// Warps that only go from one loop to another, and never work, use up the budget.
TEST(WaitCost, GivesNothingBackWithoutWork) {
  WaitCost waits;
  const Warp comes_to_a_loop = Turn(true, WarpState::kSpun, 20);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(waits.GivenBack(comes_to_a_loop, 25), 0U);
}

TEST(WaitCost, MakesPollsDearWhileNobodyGoesOn) {
  WaitCost waits;
  const Warp polls = Turn(false, WarpState::kSpun, 20);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(waits.GivenBack(polls, 25), 0U);
  EXPECT_EQ(waits.NobodyWentOn(), 6400U);
  EXPECT_EQ(waits.NobodyWentOn(), 0U);
}

}  // namespace
}  // namespace warpcheck::emulator
