#include "checks/checks.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "reduce.h"

namespace {

using testing::Values;
using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ErrorOfSum;
using warpcheck::GlobalTrafficWithin;
using warpcheck::IdleLanesWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RoundingBound;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::StoredBytesWithin;
using warpcheck::Trial;
using warpcheck::UnitOf;
using warpcheck::WithinErrors;

constexpr float kMost = 1 << 24;
constexpr int kLongest = 5'000'000;

const Promised<&reduce_sum> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -kMost, kMost), Output("out"), Integers("n", 1, kLongest)});

class Sum : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  Plan Perform() override {
    return MakePlan<&reduce_sum>(Upload(Elements()), Unwritten<float>(1), n());
  }

  virtual std::vector<float> Elements() {
    const DataKind kind = Kind();
    const float most = std::ldexp(kMost, kind.exponent);
    return kind.all_digits ? FewWithAllDigits(most) : ExactInEveryOrder(most);
  }

  // Returns multiples of a unit whose partial sums never exceed 2^24 units, so that float is exact
  // for any order of addition. An element that is left out or counted twice is noticed, unless it
  // is zero; zeros are few. One number has 22 bits, and its last bit is set: it shows whether
  // elements keep all their bits.
  std::vector<float> ExactInEveryOrder(float most) {
    const float unit = most / (1 << 22);
    const int largest = std::min(3 * (1 << 22) / n(), 1 << 22);
    std::vector<float> elements = RandomMultiples(n(), unit, -largest, largest);
    const int odd = 2 * RandomInts(1, 1 << 20, (1 << 21) - 1).front() + 1;
    const auto place = static_cast<std::size_t>(RandomInts(1, 0, n() - 1).front());
    elements[place] = unit * static_cast<float>(odd);
    return elements;
  }

  // Returns numbers with all digits, of which at most four are not zero. So few roundings are
  // allowed that each lost digit is noticed.
  std::vector<float> FewWithAllDigits(float most) {
    std::vector<float> numbers = RandomFloats(warpcheck::kAllKinds, -most, most);
    std::erase_if(numbers, [](float number) { return std::bit_cast<unsigned>(number) % 2 == 0; });
    const auto is_large = [&](float number) { return std::abs(number) > most / 2; };
    std::vector<float> elements(static_cast<std::size_t>(n()));
    for (std::size_t i = 1; i < elements.size(); i += 2) elements[i] = -0.0F;
    const float large = *std::ranges::find_if(numbers, is_large);
    const float few[] = {large * 0x1p-13F, large, *std::ranges::min_element(numbers),
                         *std::ranges::max_element(numbers)};
    const auto first = static_cast<std::size_t>(RandomInts(1, 0, n() - 1).front());
    for (std::size_t i = 0; i < std::size(few); ++i) {
      elements[(first + i * elements.size() / std::size(few)) % elements.size()] = few[i];
    }
    return elements;
  }

  std::vector<float> Before() { return CallOnce().Before<float>(0).data; }

  double Expected() {
    const std::vector<float> elements = Before();
    return std::accumulate(elements.begin(), elements.end(), 0.0);
  }

  // Expects the sum with the error that the additions of all elements but zeros may make.
  void ExpectSum() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    double magnitude = 0;
    std::uint64_t terms = 0;
    const std::vector<float> elements = Before();
    for (const float element : elements) {
      magnitude += std::abs(element);
      terms += element != 0 ? 1 : 0;
    }
    const double error =
        ErrorOfSum(magnitude, UnitOf(elements), std::max<std::uint64_t>(terms, 1) - 1);
    EXPECT_THAT(CallOnce().Output<float>(),
                WithinErrors<float>({Approximation{Expected(), error}}));
  }

  // The limit allows for a single thread that adds one element after the other, and for a grid that
  // fills a GPU whatever n is.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 10'000'000 + 20 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(Sum, SumsExactly) { ExpectSum(); }

TEST_P(Sum, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// Each element has its opposite sign here, so that a program that adds to *out would return its old
// value.
class CancellingSum : public Sum {
 protected:
  std::string TrialName() const override { return "cancelling " + Sum::TrialName(); }

  std::vector<float> Elements() override {
    std::vector<float> elements = ExactInEveryOrder(1 << 20);
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

// The largest length that the handout promises.
class LargestSum : public warpcheck::Once<Sum> {};

TEST_P(LargestSum, SumsExactly) { ExpectSum(); }

// Once the sum is large, elements of nearly the same size are always rounded to the same side. If
// all of them are added in turn to one variable, it is wrong by 1 % for a million elements, which
// is five times the bound.
class RoundedSum : public Sum {
 protected:
  std::string TrialName() const override { return "rounded " + Sum::TrialName(); }

  std::vector<float> Elements() override { return RandomFloats(n(), 0.1F, 0.1001F); }

  // Returns the longest chain of additions that is allowed: each warp, or more threads together,
  // makes a partial sum in any order, and these are added in turn. Trees have far shorter chains.
  // RoundingBound says why the bound is true for every sum without longer chains.
  std::uint64_t LongestChain() const {
    constexpr std::uint64_t kWarp = 32;
    return static_cast<std::uint64_t>(n()) / kWarp + kWarp;
  }
};

TEST_P(RoundedSum, SumsWithLittleRounding) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  // All elements are positive, so this is also the sum of magnitudes.
  const double expected = Expected();
  EXPECT_THAT(
      CallOnce().Output<float>(),
      WithinErrors<float>({Approximation{expected, RoundingBound(LongestChain()) * expected}}));
}

// For the graded lengths, loading costs far more than combining.
class LongSum : public Sum {};

// Each element is loaded once. Partial sums of blocks are added to that: blocks of 256 threads with
// an element each give 1.03 times. A single thread, or threads that each add up neighbouring
// elements, give 8 times. A program that stores partial sums and loads them again can store one for
// 20 elements. Atomics at one address move almost nothing, but execute one after another.
TEST_P(LongSum, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.1));
  EXPECT_THAT(CallOnce(), StoredBytesWithin(1, {n() / 20.0 * sizeof(float),
                                                "to store one partial sum for 20 elements"}));
}

// The busiest block of each launch may load, together with those of the other launches, an eighth
// of the array. So many blocks share the elements, and one block may add up the sums of many
// others.
TEST_P(LongSum, SharesTheElements) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(n() / 8.0 * sizeof(float)));
}

// The bound is on the lanes that are idle while their warp accesses memory, for each element. A
// tree over one element for each thread leaves 1.75 idle in blocks of 256 threads, and 0.88 in
// blocks of 512, if neighbouring threads make the additions. If every second, fourth, eighth thread
// does, it leaves 14.9. One thread alone leaves 31. With shuffles, one lane of a warp stores the
// result: 0.05. When threads add up their own elements, all lanes are active, so every way of
// combining can reach 1. PTX and a GPU's own code agree about the lanes of accesses, but not about
// those of all instructions: 99 % on an H200 for both trees if lanes with a false predicate count,
// and 75 % for the divergent and 62 % for the other if they do not.
TEST_P(LongSum, KeepsLanesBusy) {
  EXPECT_THAT(CallOnce(), IdleLanesWithin(1, {static_cast<double>(n()),
                                              "to leave one lane idle for each element"}));
}

// The bound is on wavefronts for each 32 elements. The tree in blocks of 512 with an element for
// each thread takes 4.8. If the elements lie 2, 4, 8 words apart, in 2, 4, 8 times fewer banks, it
// takes 32. A program that adds up elements in registers first needs less than one.
TEST_P(LongSum, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(5, {n() / 32.0, "to access each element once"}));
}

// The lengths are multiples of 128. If a program splits the array into up to 16 equal parts, each
// part begins at a sector of 32 bytes.
std::vector<int> Graded() {
  return DrawnFrom("graded", 1, std::vector{1'900'032, 1'925'120, 1'950'080, 1'975'040, 2'000'000});
}

int Rounded() { return DrawnNumber("rounded", 1'000'000, 1'200'000); }

// The lengths are around warps and blocks; lengths with more partial sums of blocks than one block
// can combine; primes; and those of the tests above.
std::vector<int> Lengths() {
  const std::vector lengths = {1,    2,    3,    31,   32,   33,     127,   128,  129,
                               255,  256,  257,  511,  512,  513,    1000,  1023, 1024,
                               1025, 2047, 2048, 2049, 4097, 65'537, 99'991};
  return Joined(Joined(lengths, Graded()), {64, Rounded()});
}

INSTANTIATE_TEST_SUITE_P(Lengths, Sum, ValuesIn(Lengths()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, LargestSum, Values(kLongest), testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Lengths, CancellingSum, Values(2, 64), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, RoundedSum, Values(Rounded()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, LongSum, ValuesIn(Graded()), CaseNames());

}  // namespace
