#include "checks/checks.h"

#include "overlap.h"

namespace {

using testing::Ge;
using testing::Le;
using testing::ValuesIn;
using warpcheck::BytesReadUncopied;
using warpcheck::BytesToDevice;
using warpcheck::CaseNames;
using warpcheck::CopiesAreAsynchronous;
using warpcheck::DrawnNumber;
using warpcheck::EqualsAsNumbers;
using warpcheck::HostArray;
using warpcheck::IsFinishedOnReturn;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::OverlapsCopiesWithKernels;
using warpcheck::Plan;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::UsesStreams;
using warpcheck::Values;
using warpcheck::WaitsForTheDeviceAtMost;

class Overlap : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  // Returns whole numbers. Their sums are exact in every order.
  std::vector<float> Numbers() {
    constexpr int kMost = 1 << 20;
    const std::vector<int> numbers = RandomInts(n(), -kMost, kMost);
    return {numbers.begin(), numbers.end()};
  }

  Plan Perform() override {
    const HostArray<float> in{Numbers()};
    return MakePlan<&smooth>(in, Unwritten<float>(n()), n());
  }
};

TEST_P(Overlap, MatchesSums) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  const std::vector<float> in = CallOnce().HostValues<float>();
  Values<float> expected = CallOnce().Output<float>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float before = in[i == 0 ? 0 : i - 1];
    const float after = in[std::min(i + 1, in.size() - 1)];
    expected.data[i] = before + 2 * in[i] + after;
  }
  EXPECT_THAT(CallOnce().Output<float>(), EqualsAsNumbers(expected));
  EXPECT_THAT(CallOnce(), IsFinishedOnReturn());
}

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

INSTANTIATE_TEST_SUITE_P(Lengths, LongOverlap, ValuesIn(Graded()), CaseNames());

}  // namespace
