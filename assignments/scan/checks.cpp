#include "checks/checks.h"

#include <limits>
#include <utility>

#include "scan.h"

namespace {

using testing::Le;
using testing::ValuesIn;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::Counter;
using warpcheck::CounterWithin;
using warpcheck::DrawnFrom;
using warpcheck::ExactlyEquals;
using warpcheck::ExcessiveWavefronts;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::Values;

constexpr int kLongest = 1'100'000;
constexpr int kLeast = std::numeric_limits<int>::min();
constexpr int kMost = std::numeric_limits<int>::max();

const Promised<&exclusive_scan> kPromised(  // NOLINT(cert-err58-cpp)
    {Integers("in", kLeast, kMost), Output("out"), Integers("n", 1, kLongest)});

class Scan : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  std::vector<int> Numbers() { return Kind().all_digits ? OfAllInts() : OfManySums(); }

  // Returns numbers of both signs whose sums fit in an int. One of them has 30 bits, and its last
  // bit is set: a sum in a float or in 16 bits loses it.
  std::vector<int> OfManySums() {
    const int largest = (1 << 30) / n();
    std::vector<int> numbers = RandomInts(n(), -largest / 3, largest);
    const auto place = static_cast<std::size_t>(RandomInts(1, 0, n() - 1).front());
    numbers[place] = 2 * RandomInts(1, 1 << 28, (1 << 29) - 1).front() + 1;
    return numbers;
  }

  // Returns the differences between random sums of 31 bits. So the numbers have 32 bits, and the
  // sum of any neighbours is such a difference too, which fits in an int.
  std::vector<int> OfAllInts() {
    constexpr int kHalf = 1 << 30;
    std::vector<int> sums = RandomInts(n() + 1, -kHalf, kHalf - 1);
    sums.front() = 0;
    if (n() >= 4) {  // so that the least int and the greatest one are among the numbers
      sums[1] = kHalf;
      sums[2] = -kHalf;
      sums[3] = kHalf - 1;
    }
    std::vector<int> numbers(static_cast<std::size_t>(n()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = sums[i + 1] - sums[i];
    return numbers;
  }

  Plan Perform() override {
    return MakePlan<&exclusive_scan>(Upload(Numbers()), Unwritten<int>(n()), n());
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    Values<int> sums = CallOnce().Before<int>(0);
    int sum = 0;
    for (int& number : sums.data) sum += std::exchange(number, sum);
    EXPECT_THAT(CallOnce().Output<int>(), ExactlyEquals(sums));
  }

  // The limit allows for a single thread, and for all other programs whose work is proportional to
  // n or to n log n.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 200'000 + 20 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(Scan, MatchesPrefixSums) { ExpectRight(); }

// The greatest length that the handout promises.
class LongestScan : public warpcheck::Once<Scan> {};

TEST_P(LongestScan, MatchesPrefixSums) { ExpectRight(); }

TEST_P(Scan, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// For the graded lengths, the sums of blocks cost little beside the numbers.
class LongScan : public Scan {};

// Loading and storing each number twice moves 4 n numbers. The busiest blocks of all launches
// together may move a sixteenth of that. So launches that move all numbers share them among at
// least 16 blocks with work, and one block may scan the sums of many others. Bytes are counted for
// each thread, whether accesses are coalesced or not. Additional launches and blocks that do
// nothing do not help.
TEST_P(LongScan, SharesTheWork) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(4.0 * n() * sizeof(int) / 16));
}

// Every way of combining blocks loads each number at most twice, and stores it at most twice, which
// is 2 times the sectors of both arrays. The rest is for the sums of blocks: each warp that loads
// one for 32 numbers adds 0.13.
// A step for each power of two, with a launch for each, takes log2(n) = 17 times. A single thread
// takes 8 times, and so do threads that scan neighbouring numbers each.
TEST_P(LongScan, MovesEachNumberAFewTimes) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(2.5)); }

// A tree with an up-sweep and a down-sweep takes 7 accesses for each number, one to keep it and one
// to read the result. The number of lanes does not depend on bank conflicts. Steps of 1, 2, 4, ...
// in which all threads add take 2 or 3 accesses for each step: 16 to 30 in blocks of 128 to 1024
// threads. With shuffles or several numbers for each thread, 0 to 8 are enough.
TEST_P(LongScan, AccessesSharedMemoryRarely) {
  EXPECT_THAT(CallOnce(),
              CounterWithin(Counter::kSharedLanes, 12.0 * n())
                  .WithHint("in a tree, ever fewer threads add: n - 1 additions on the way up, and "
                            "as many on the way down"));
}

// Without conflicts, the tree over 256 numbers takes 12.5 wavefronts for 32 numbers, and over 1024
// numbers 9.7: one for each access of a warp, although the last steps have few lanes. In an array
// without padding it takes 38 to 44, because of conflicts. Threads that add up eight neighbouring
// words each take 18. Threads with four words each take 10, and 6 of these are conflicts; padding
// at every 32nd word removes the conflicts.
TEST_P(LongScan, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(16, {n() / 32.0, "to access each number once"}));
  EXPECT_THAT(CallOnce(), ExcessiveWavefronts(Le(n() / 32.0)));
}

// The lengths are multiples of 8192, so that all usual blocks are full and begin at a sector.
std::vector<int> Graded() {
  return DrawnFrom("graded", 1, std::vector{114'688, 122'880, 131'072, 139'264, 147'456});
}

// The lengths are around warps and blocks; lengths with more sums of blocks than one block of 256
// or 1024 threads can scan; and primes. About half of them need many blocks, so
// that a call for few numbers is surely followed by one for many: a program may keep room for the
// sums of its first call.
std::vector<int> Lengths() {
  const std::vector lengths = {
      1,      2,      3,      31,     32,     33,     64,     65,     127,    128,    129,   255,
      256,    257,    512,    513,    1000,   1023,   1024,   1025,   2048,   2049,   4097,  12'289,
      16'384, 20'011, 24'593, 32'768, 40'961, 49'999, 57'344, 65'537, 73'729, 81'919, 99'991};
  return Joined(lengths, Graded());
}

INSTANTIATE_TEST_SUITE_P(Lengths, Scan, ValuesIn(Lengths()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Lengths, LongestScan, testing::Values(kLongest),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Lengths, LongScan, ValuesIn(Graded()), CaseNames());

}  // namespace
