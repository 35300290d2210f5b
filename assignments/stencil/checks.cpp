#include "checks/checks.h"

#include "stencil.h"

namespace {

using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::ErrorOfSum;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::UnitOf;
using warpcheck::WithinErrors;

constexpr int kTerms = 2 * kRadius + 1;
constexpr float kMost = 1 << 20;
constexpr int kLongest = 1'000'000;

const Promised<&stencil> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -kMost, kMost), Output("out"), Integers("n", 1, kLongest)});

class Stencil : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  // Returns numbers with all digits, or numbers for which every order of summation gives the same
  // sum: multiples of a 128th of the greatest one. A float represents all sums of seven of them.
  std::vector<float> Elements() {
    constexpr int kSteps = 128;
    const DataKind kind = Kind();
    const float most = std::ldexp(kMost, kind.exponent);
    if (kind.all_digits) return RandomFloats(n(), -most, most);
    return RandomMultiples(n(), most / kSteps, -kSteps, kSteps);
  }

  Plan Perform() override {
    const auto in = Upload(Elements());
    const auto out = Unwritten<float>(n());
    return MakePlan<&stencil>(in, out, n());
  }

  // Computes the sum of each element and its existing neighbours, and the error that six additions
  // may make.
  static std::vector<Approximation> Sums(const std::vector<float>& in) {
    const auto n = static_cast<int>(in.size());
    const double unit = UnitOf(in);
    std::vector<Approximation> sums;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      double magnitude = 0;
      for (int near = std::max(0, i - kRadius); near <= std::min(n - 1, i + kRadius); ++near) {
        const double term = in[static_cast<std::size_t>(near)];
        sum += term;
        magnitude += std::abs(term);
      }
      sums.push_back({.value = sum, .error = ErrorOfSum(magnitude, unit, kTerms - 1)});
    }
    return sums;
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    EXPECT_THAT(CallOnce().Output<float>(),
                WithinErrors<float>(Sums(CallOnce().Before<float>(0).data)));
  }

  // The limit allows for a single thread that computes one sum after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 1'000'000 + 200 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(Stencil, MatchesReference) { ExpectRight(); }

TEST_P(Stencil, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// The greatest length that the handout promises.
class LongestStencil : public warpcheck::Once<Stencil> {};

TEST_P(LongestStencil, MatchesReference) { ExpectRight(); }

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

// Programs must share elements whatever n is. The longest array has no full block at its end.
TEST_P(LongestStencil, LoadsEachElementOnce) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.65)); }

std::vector<int> Graded() {
  return DrawnFrom("graded", 1, std::vector{229'376, 237'568, 245'760, 253'952, 262'144, 270'336});
}

// The lengths are fewer elements than a sum has terms; a warp and blocks of 256 and 1024, one less
// and one more, and with the halo of either side; and a prime.
std::vector<int> Sizes() {
  const std::vector sizes = {1,  2,   3,   4,   6,   7,   8,    31,   32,   33,
                             35, 253, 255, 256, 257, 259, 1023, 1024, 1025, 100'003};
  return Joined(sizes, Graded());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Stencil, ValuesIn(Sizes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Sizes, LongestStencil, testing::Values(kLongest),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Sizes, LargeStencil, ValuesIn(Graded()), CaseNames());

}  // namespace
