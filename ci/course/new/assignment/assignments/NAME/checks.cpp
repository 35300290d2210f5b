#include "checks/checks.h"

#include "NAME.h"

namespace {

using testing::Values;
using warpcheck::CaseNames;
using warpcheck::GlobalTrafficWithin;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Plan;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::WithinError;

// One call with arrays of so many elements.
class Vectors : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  Plan Perform() override {
    const auto x = Upload(RandomFloats(n(), -1.0F, 1.0F));
    const auto y = Upload(RandomFloats(n(), -1.0F, 1.0F));
    const auto out = Unwritten<float>(n());
    return MakePlan(&NAME, x, y, out, 1.5F, n());
  }
};

// One rounding or two, by a fused multiply-add or without: a unit in the last place of the larger
// term, which is more of a small sum.
TEST_P(Vectors, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(),
              WithinError({.absolute = 4e-7, .relative = 0},
                                     Reference().Output<float>()));
}

TEST_P(Vectors, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

class WholeWarps : public Vectors {};

TEST_P(WholeWarps, CoalescesGlobalMemory) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.1)); }

INSTANTIATE_TEST_SUITE_P(Lengths, Vectors, Values(1, 31, 32, 33, 1000, 300'001), CaseNames());
INSTANTIATE_TEST_SUITE_P(Lengths, WholeWarps, Values(4096, 65'536), CaseNames());

}  // namespace
