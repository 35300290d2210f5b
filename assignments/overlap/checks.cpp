#include "checks/checks.h"

#include "overlap.h"

namespace {

using testing::Ge;
using testing::Le;
using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BytesReadUncopied;
using warpcheck::BytesToDevice;
using warpcheck::CaseNames;
using warpcheck::CopiesAreAsynchronous;
using warpcheck::DrawnNumber;
using warpcheck::ErrorOfSum;
using warpcheck::HostArray;
using warpcheck::Integers;
using warpcheck::IsFinishedOnReturn;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::OverlapsCopiesWithKernels;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::UnitOf;
using warpcheck::UsesStreams;
using warpcheck::WaitsForTheDeviceAtMost;
using warpcheck::WithinErrors;

constexpr float kMost = 1 << 20;
constexpr int kLongest = 100'000;

const Promised<&smooth> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -kMost, kMost), Output("out"), Integers("n", 1, kLongest)});

class Overlap : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  // Returns numbers with all digits, or whole multiples of a unit, whose sums are exact in every
  // order.
  std::vector<float> Numbers() {
    constexpr int kSteps = 1 << 20;
    const DataKind kind = Kind();
    const float most = std::ldexp(kMost, kind.exponent);
    if (kind.all_digits) return RandomFloats(n(), -most, most);
    return RandomMultiples(n(), most / kSteps, -kSteps, kSteps);
  }

  Plan Perform() override {
    const HostArray<float> in{Numbers()};
    return MakePlan<&smooth>(in, Unwritten<float>(n()), n());
  }

  // Doubling is exact, so that a sum has two roundings, or three if the number is added twice.
  void ExpectRight() {
    constexpr int kRoundings = 3;
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    const std::vector<float> in = CallOnce().HostValues<float>();
    const double unit = UnitOf(in);
    std::vector<Approximation> expected;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double before = in[i == 0 ? 0 : i - 1];
      const double here = 2.0 * in[i];
      const double after = in[std::min(i + 1, in.size() - 1)];
      const double magnitude = std::abs(before) + std::abs(here) + std::abs(after);
      expected.push_back({before + here + after, ErrorOfSum(magnitude, unit, kRoundings)});
    }
    EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(expected));
    EXPECT_THAT(CallOnce(), IsFinishedOnReturn());
  }
};

TEST_P(Overlap, MatchesSums) { ExpectRight(); }

// The greatest length that the handout promises.
class LongestOverlap : public warpcheck::Once<Overlap> {};

TEST_P(LongestOverlap, MatchesSums) { ExpectRight(); }

TEST_P(Overlap, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

class LongOverlap : public Overlap {};

// Kernels that read pinned or managed memory copy nothing, and wait for the bus at each access.
TEST_P(LongOverlap, CopiesWithoutWaiting) {
  const std::uint64_t bytes = sizeof(float) * static_cast<std::uint64_t>(n());
  EXPECT_THAT(CallOnce(), BytesToDevice(Ge(bytes)));
  EXPECT_THAT(CallOnce(), BytesReadUncopied(Le(bytes / 8)));
  EXPECT_THAT(CallOnce(), CopiesAreAsynchronous());
}

TEST_P(LongOverlap, UsesTwoStreams) { EXPECT_THAT(CallOnce(), UsesStreams(Ge(2))); }

// With four pieces, one stream that copies and one that computes, the first piece can overlap with
// nothing, and neither can the second if the kernel of the first needs a number of it.
TEST_P(LongOverlap, OverlapsCopies) { EXPECT_THAT(CallOnce(), OverlapsCopiesWithKernels(Ge(0.5))); }

TEST_P(LongOverlap, WaitsAtTheEnd) { EXPECT_THAT(CallOnce(), WaitsForTheDeviceAtMost(0)); }

std::vector<int> Graded() { return {40'000, DrawnNumber("long", 50'000, 60'000)}; }

// A short array may follow a long one in the same process, so that memory of an earlier call is too
// large as well as too small.
std::vector<int> Lengths() {
  return Joined({1, 2, 3, 5, 31, 33, 255, 1000, 4095, 4097, 10'007, 20'480}, Graded());
}

INSTANTIATE_TEST_SUITE_P(Lengths, Overlap, ValuesIn(Lengths()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, LongestOverlap, testing::Values(kLongest),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Lengths, LongOverlap, ValuesIn(Graded()), CaseNames());

}  // namespace
