#include "checks/checks.h"

#include "NAME.h"

namespace {

using testing::Values;
using warpcheck::Approximation;
using warpcheck::CaseNames;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Integers;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::WithinErrors;

// These are the promises of the table in README.md. `warpcheck validate` objects if the calls
// below have less.
constexpr int kLongest = 300'001;
const Promised<&NAME> kPromised({Reals("x", -1, 1), Reals("y", -1, 1), Output("out"),
                                 Reals("a", -2, 2), Integers("n", 1, kLongest)});

// Has the number of elements of the arrays of one call.
class Vectors : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  Plan Perform() override {
    const auto x = Upload(RandomFloats(n(), -1.0F, 1.0F));
    const auto y = Upload(RandomFloats(n(), -1.0F, 1.0F));
    const auto out = Unwritten<float>(n());
    return MakePlan<&NAME>(x, y, out, RandomFloats(1, -2, 2).front(), n());
  }
};

// This computes the right elements on the host, from the arrays of the call. A kernel may round
// once, by a fused multiply-add, or twice. The two results differ by a unit in the last place of
// the larger term, which is a larger share of a small sum.
std::vector<Approximation> Expected(const Trial& trial) {
  const std::vector<float> x = trial.Before<float>(0).data;
  const std::vector<float> y = trial.Before<float>(1).data;
  const double a = trial.Number<float>();
  std::vector<Approximation> expected;
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.push_back({.value = a * x[i] + y[i], .error = 4e-7});
  }
  return expected;
}

TEST_P(Vectors, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(Expected(CallOnce())));
}

TEST_P(Vectors, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

class WholeWarps : public Vectors {};

TEST_P(WholeWarps, CoalescesGlobalMemory) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.1)); }

INSTANTIATE_TEST_SUITE_P(Lengths, Vectors, Values(1, 31, 32, 33, 1000, kLongest), CaseNames());
INSTANTIATE_TEST_SUITE_P(Lengths, WholeWarps, Values(4096, 65'536), CaseNames());

}  // namespace
