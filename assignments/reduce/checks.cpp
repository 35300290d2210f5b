#include "checks/checks.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "reduce.h"

namespace {

using testing::Values;
using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::GlobalTrafficWithin;
using warpcheck::IdleLanesWithin;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Plan;
using warpcheck::RoundingBound;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::StoredBytesWithin;
using warpcheck::Trial;
using warpcheck::WithinErrors;

class Sum : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  Plan Perform() override {
    return MakePlan<&reduce_sum>(Upload(Elements()), Unwritten<float>(1), n());
  }

  // Whole numbers of which no partial sum exceeds 2^24: in whatever order they are added, float is
  // exact, and an element that is left out or counted twice shows, but for zeros, which are few.
  // One has 22 bits, the last of them set: it shows whether elements keep all their bits.
  virtual std::vector<float> Elements() {
    const int largest = 3 * (1 << 22) / n();
    std::vector<float> elements = RandomMultiples(n(), 1, -largest, largest);
    const int odd = 2 * RandomInts(1, 1 << 20, (1 << 21) - 1).front() + 1;
    const auto place = static_cast<std::size_t>(RandomInts(1, 0, n() - 1).front());
    elements[place] = static_cast<float>(odd);
    return elements;
  }

  double Expected() {
    const std::vector<float> elements = CallOnce().Before<float>(0).data;
    return std::accumulate(elements.begin(), elements.end(), 0.0);
  }

  // The limit allows a single thread that adds one element after the other, and a grid that fills a
  // GPU whatever n is.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 10'000'000 + 20 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(Sum, SumsExactly) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>({Approximation{Expected(), 0}}));
}

TEST_P(Sum, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// Each element has its opposite, so that the result of a program that adds to *out would be its old
// value.
class CancellingSum : public Sum {
 protected:
  std::string TrialName() const override { return "cancelling " + Sum::TrialName(); }

  std::vector<float> Elements() override {
    std::vector<float> elements = Sum::Elements();
    const auto middle = elements.begin() + n() / 2;
    std::transform(elements.begin(), middle, middle, std::negate());
    if (n() % 2 == 1) elements.back() = 0;
    return elements;
  }
};

TEST_P(CancellingSum, SumsToZero) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>({Approximation{0, 0}}));
}

// Elements of nearly the same size round to the same side again and again once the sum is large:
// one variable to which all of them are added in turn is off by 1 % at a million of them, by 9 % at
// ten million.
class RoundedSum : public Sum {
 protected:
  std::string TrialName() const override { return "rounded " + Sum::TrialName(); }

  std::vector<float> Elements() override { return RandomFloats(n(), 0.1F, 0.1001F); }

  // The longest chain of additions that is allowed: each warp, or more threads together, makes a
  // partial sum in whatever order, and these are added in turn. Trees have far shorter ones. The
  // bound holds for every sum without longer chains: see RoundingBound.
  std::uint64_t LongestChain() const {
    constexpr std::uint64_t kWarp = 32;
    return static_cast<std::uint64_t>(n()) / kWarp + kWarp;
  }
};

TEST_P(RoundedSum, SumsWithLittleRounding) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  const double expected = Expected();  // all elements are positive: also the sum of magnitudes
  EXPECT_THAT(
      CallOnce().Output<float>(),
      WithinErrors<float>({Approximation{expected, RoundingBound(LongestChain()) * expected}}));
}

// The graded lengths, with far more to load than to combine.
class LongSum : public Sum {};

// Each element is loaded once. Partial sums of blocks come on top: of blocks of 256 threads with an
// element each 1.03 times. A thread that adds up neighbours by itself, or alone, gives 8 times.
// Whoever stores partial sums and loads them again can store one for 20 elements; atomics at one
// address move next to nothing, and take turns.
TEST_P(LongSum, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.1));
  EXPECT_THAT(CallOnce(), StoredBytesWithin(1, {n() / 20.0 * sizeof(float),
                                                "to store one partial sum for 20 elements"}));
}

// Lanes that are idle while their warp accesses memory, for each element. A tree over one element a
// thread leaves 1.75 idle in blocks of 256 threads, 0.88 in blocks of 512, as long as neighbouring
// threads make the additions; where every second, fourth, eighth thread does, 14.9. One thread
// alone leaves 31. The results of shuffles leave a warp by one lane, 0.05. What a thread adds up on
// its own has all lanes active, so that 1 is within reach of every way of combining. PTX and a
// GPU's own code agree on the lanes of accesses, but not on those of all instructions: 99 % on an
// H200 for both trees, counting lanes whose predicate is off; 75 % for the divergent one and 62 %
// for the other, leaving them out.
TEST_P(LongSum, KeepsLanesBusy) {
  EXPECT_THAT(CallOnce(), IdleLanesWithin(1, {static_cast<double>(n()),
                                              "to leave one lane idle for each element"}));
}

// Wavefronts for each 32 elements. The tree in blocks of 512 with an element a thread takes 4.8;
// with elements that lie 2, 4, 8 words apart, and meet in 2, 4, 8 times fewer banks, 32. Who adds
// up first needs less than one.
TEST_P(LongSum, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(5, {n() / 32.0, "to access each element once"}));
}

// Multiples of 128: where a program splits the array into up to 16 equal parts, each part begins at
// a sector of 32 bytes.
std::vector<int> Graded() {
  return DrawnFrom("graded", 1, std::vector{1'900'032, 1'925'120, 1'950'080, 1'975'040, 2'000'000});
}

// The lengths are around warps and blocks; with more partial sums of blocks than one block can
// combine; primes; and a long random one.
std::vector<int> Lengths() {
  const std::vector lengths = {1,    2,    3,      31,     32,      33,        127,
                               128,  129,  255,    256,    257,     511,       512,
                               513,  1000, 1023,   1024,   1025,    2047,      2048,
                               2049, 4097, 65'537, 99'991, 262'144, 1'048'577, 1'299'709};
  return Joined(Joined(lengths, Graded()), {DrawnNumber("any", 2'100'000, 2'500'000)});
}

INSTANTIATE_TEST_SUITE_P(Lengths, Sum, ValuesIn(Lengths()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, CancellingSum, Values(2, 64), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, RoundedSum,
                         ValuesIn(std::vector{1'000'003,
                                              DrawnNumber("rounded", 4'500'000, 5'000'000)}),
                         CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, LongSum, ValuesIn(Graded()), CaseNames());

}  // namespace
