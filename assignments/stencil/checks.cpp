#include "checks/checks.h"

#include "stencil.h"

namespace {

using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Plan;
using warpcheck::RoundingBound;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::WithinErrors;

constexpr int kTerms = 2 * kRadius + 1;

// Returns elements for which every order of summation gives the same sum: multiples of 1/128 from
// -1 to 1. A float represents all sums of seven of them exactly.
class Stencil : public warpcheck::AssignmentOver<int> {
 protected:
  static constexpr int kSteps = 128;

  int n() const { return GetParam(); }

  virtual std::vector<float> Elements() {
    return RandomMultiples(n(), 1.0F / kSteps, -kSteps, kSteps);
  }

  Plan Perform() override {
    const auto in = Upload(Elements());
    const auto out = Unwritten<float>(n());
    return MakePlan<&stencil>(in, out, n());
  }

  // Computes the sum of each element and its existing neighbours, and the allowed error relative to
  // it.
  static std::vector<Approximation> Sums(const std::vector<float>& in, double share) {
    const auto n = static_cast<int>(in.size());
    std::vector<Approximation> sums;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int near = std::max(0, i - kRadius); near <= std::min(n - 1, i + kRadius); ++near) {
        sum += in[static_cast<std::size_t>(near)];
      }
      sums.push_back({.value = sum, .error = share * std::abs(sum)});
    }
    return sums;
  }

  // The limit allows for a single thread that computes one sum after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 1'000'000 + 200 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(Stencil, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(),
              WithinErrors<float>(Sums(CallOnce().Before<float>(0).data, 0)));
}

TEST_P(Stencil, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// These elements use every bit of a float.
class StencilOfAnyFloats : public Stencil {
 protected:
  std::vector<float> Elements() override { return RandomFloats(n(), 0.5F, 1.5F); }
  std::string TrialName() const override { return "any floats " + Stencil::TrialName(); }
};

// The sum of seven positive terms takes six additions.
TEST_P(StencilOfAnyFloats, MatchesReference) {
  const double bound = RoundingBound(kTerms - 1);
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(),
              WithinErrors<float>(Sums(CallOnce().Before<float>(0).data, bound)));
}

// The graded lengths are full blocks of every usual size.
class LargeStencil : public Stencil {};

// Each element is loaded once and each result is stored once. Elements at the edges of a block are
// also loaded by the neighbouring block, and loads of 32 neighbours that begin three elements
// before a sector access five sectors instead of four. Together this gives 1.16 times for blocks of
// 256, and 1.4 for 26 results of each warp. A fetch from a texture touches sectors for each eight
// lanes: eight instead of five. That gives 1.53 for blocks of 256, and 1.63 for blocks of 64. One
// load for each term gives 4.75; a thread that loads neighbouring elements one by one gives 8.4.
TEST_P(LargeStencil, LoadsEachElementOnce) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.65)); }

// The busiest block of each launch may load and store, together with those of the other launches,
// an eighth of the bytes of both arrays. So many blocks share the elements.
TEST_P(LargeStencil, SharesTheElements) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(2.0 * n() * sizeof(float) / 8));
}

// Keeping 32 elements takes a wavefront, and so does each of the seven terms of 32 results. A
// quarter is left for the halos of small blocks. Threads that compute four neighbours each, with
// reads that lie four words apart, take twice as many.
TEST_P(LargeStencil, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(
                              1.25, {(kTerms + 1) * n() / 32.0,
                                     "to keep each element once and read it for seven results"}));
}

std::vector<int> Graded() {
  return DrawnFrom("graded", 1, std::vector{229'376, 237'568, 245'760, 253'952, 262'144, 270'336});
}

// The lengths are fewer elements than a sum has terms; a warp and blocks of 256 and 1024, one less
// and one more, and with the halo of either side; a prime; and one that is larger than all others.
std::vector<int> Sizes() {
  const std::vector sizes = {1,  2,   3,   4,   6,   7,   8,    31,   32,   33,
                             35, 253, 255, 256, 257, 259, 1023, 1024, 1025, 100'003};
  return Joined(Joined(sizes, Graded()), {DrawnNumber("large", 280'000, 330'000)});
}

INSTANTIATE_TEST_SUITE_P(Sizes, Stencil, ValuesIn(Sizes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Sizes, StencilOfAnyFloats, testing::Values(1, 7, 257, 100'003),
                         CaseNames());

INSTANTIATE_TEST_SUITE_P(Sizes, LargeStencil, ValuesIn(Graded()), CaseNames());

}  // namespace
