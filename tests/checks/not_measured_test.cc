#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/counter_matchers.h"
#include "trial/fakes.h"
#include "trial/recount.h"
#include "trial/session_fixture.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

// If a program makes more different launches than the device counts by line, it fails. The case
// does not stay undecided for this reason.
TEST_F(SessionTest, FailsWhatAProgramKeepsFromBeingMeasured) {
  Trial trial = ReturnedTrial();
  for (std::uint32_t i = 0; i <= kMaxRecounts; ++i) {
    LaunchRecord& launch = trial.launches.emplace_back(LaunchOf("decoy"));
    launch.grid.x = i + 1;
    launch.counters.Set(Counter::kGlobalSectors, 0);
  }
  trial.later = std::make_shared<LaterCounts>();
  trial.later->launches = trial.launches;
  EXPECT_THAT(FailuresOf(trial, GlobalStoresWithin(1, 100)),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "stores to global memory: not measured. transpose() made 17 "
                                    "different launches, and this device counts 16 in each call",
                                    "launch fewer kernels, each for a larger part of the data. The "
                                    "emulator counts all launches")));
  // The totals are always known.
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(1, 100)), testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck
