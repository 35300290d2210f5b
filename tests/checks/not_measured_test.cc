#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/counter_matchers.h"
#include "trial/fakes.h"
#include "trial/recount.h"
#include "trial/session_fixture.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

// More kinds of launches than a device counts by line are the program's doing: no reason to leave
// open what it gets.
TEST_F(SessionTest, FailsWhatAProgramKeepsFromBeingMeasured) {
  Trial trial = ReturnedTrial();
  for (std::uint32_t i = 0; i <= kMaxRecounts; ++i) {
    LaunchRecord& launch = trial.launches.emplace_back(LaunchOf("decoy"));
    launch.grid.x = i + 1;
    launch.counters.Set(Counter::kGlobalSectors, 0);
  }
  trial.later = std::make_shared<LaterCounts>();
  trial.later->launches = trial.launches;
  EXPECT_THAT(
      ChargesOf(trial, GlobalStoresWithin(1, 100)),
      ElementsAre(ChargeOf(
          Verdict::kFailed,
          "stores to global memory was not measured: transpose() made 17 different launches, and "
          "this device counts 16 a call",
          "launch fewer kernels, each for more of the data; the emulator counts all")));
  // What the totals tell is known all the same.
  EXPECT_THAT(ChargesOf(trial, GlobalTrafficWithin(1, 100)), testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck
