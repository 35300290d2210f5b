#include "checks/checks.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "histogram.h"

namespace {

using testing::Values;
using testing::ValuesIn;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::Counter;
using warpcheck::CounterWithin;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::GlobalLoadsWithin;
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
using warpcheck::StoredBytesWithin;

// Says how often each value of a byte occurs in the input.
enum class Letters {
  kUniform,  // every value equally often
  kMixed,    // with runs of equal bytes, and many of the values 0 and 255
  kFew,      // the letters a to e, and one of them more often than all others
  kOneBank,  // eight values that are 32 apart
  kEqual,    // one value
};

struct Text {
  Letters letters;
  int n;
};

void PrintTo(const Text& text, std::ostream* out) {
  constexpr std::array<std::string_view, 5> kNames = {"uniform", "mixed", "few", "one_bank",
                                                      "equal"};
  *out << kNames[static_cast<std::size_t>(text.letters)] << '_' << text.n;
}

const Promised<&histogram> kPromised(  // NOLINT(cert-err58-cpp)
    {Integers("bytes", 0, 255), Output("bins"), Integers("n", 1, 3'000'000)});

class Histogram : public warpcheck::AssignmentOver<Text> {
 protected:
  int n() const { return GetParam().n; }

  Plan Perform() override {
    return MakePlan<&histogram>(Upload(Bytes()), Unwritten<unsigned>(kBins), n());
  }

  std::vector<unsigned char> Bytes() {
    switch (GetParam().letters) {
      case Letters::kMixed:
        return RandomBytes(n());
      case Letters::kFew:
        return Drawn(-5, 4, [](int value) { return 'a' + std::max(value, 0); });
      case Letters::kOneBank: {
        const int first = RandomInts(1, 0, 31).front();
        return Drawn(0, 7, [first](int value) { return first + 32 * value; });
      }
      case Letters::kEqual: {
        const int only = RandomInts(1, 0, kBins - 1).front();
        return Drawn(only, only, [](int value) { return value; });
      }
      case Letters::kUniform:
        break;
    }
    return Drawn(0, kBins - 1, [](int value) { return value; });
  }

  // The limit allows for a single thread that counts one byte after the other, and for a grid that
  // fills a GPU whatever n is.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 2'000'000 + 30 * static_cast<std::uint64_t>(n())};
  }

  void ExpectCounts() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    auto expected = CallOnce().Output<unsigned>();
    std::ranges::fill(expected.data, 0U);
    for (const unsigned char byte : CallOnce().Before<unsigned char>(0).data) ++expected.data[byte];
    EXPECT_THAT(CallOnce().Output<unsigned>(), ExactlyEquals(expected));
  }

 private:
  // Returns n bytes: byte_of() of numbers that are uniform in [low, high].
  template <class ByteOf>
  std::vector<unsigned char> Drawn(int low, int high, ByteOf byte_of) {
    std::vector<unsigned char> bytes;
    for (const int number : RandomInts(n(), low, high)) {
      bytes.push_back(static_cast<unsigned char>(byte_of(number)));
    }
    return bytes;
  }
};

TEST_P(Histogram, CountsEveryByte) { ExpectCounts(); }

// The largest length that the handout promises. A bin has far more than 2^16 bytes, and so does a
// part of the text for each of 32 blocks.
class LargestHistogram : public warpcheck::Once<Histogram> {};

TEST_P(LargestHistogram, CountsEveryByte) { ExpectCounts(); }

TEST_P(Histogram, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// For the graded lengths, counting costs far more than clearing the bins and adding them up.
class LongHistogram : public Histogram {
 protected:
  // The sectors of the bytes, and the loads of a warp that are needed if each lane loads four
  // bytes.
  double Sectors() const { return n() / 32.0; }
  double WordLoads() const { return n() / 128.0; }
};

// Each byte is loaded once. Neighbouring lanes load neighbouring bytes, or words, or vectors: 1.0
// times. Threads that each load a piece of their own give 2 times if they load vectors of 16 bytes,
// and 32 times if they load bytes.
TEST_P(LongHistogram, CoalescesLoads) {
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(1.1, {Sectors(), "to load each byte once"}).Of("bytes"));
}

// The busiest block of each launch may load and store, together with those of the other launches,
// an eighth of the bytes. So many blocks share them. One block may add up the counts of 160 others.
TEST_P(LongHistogram, SharesTheBytes) { EXPECT_THAT(CallOnce(), BusiestBlockWithin(n() / 8.0)); }

// A load of four bytes for each lane is the narrowest that uses the width of a warp, 128 bytes. The
// other half is for partial counts that a program keeps in global memory: 512 blocks that store
// their counts and load them again have 0.5. A byte for each lane gives 4.
TEST_P(LongHistogram, LoadsWords) {
  EXPECT_THAT(CallOnce(), CounterWithin(Counter::kGlobalInstructions, 1.5 * WordLoads())
                              .Of("bytes")
                              .WithHint("let each lane load at least four bytes at once, as an "
                                        "unsigned or a uint4, and take them apart in a register"));
}

// A block adds 256 counts to the result, so this asks for blocks that count 2 KiB or more each.
// Adding every byte to the result gives 8.
TEST_P(LongHistogram, CountsInBlocks) {
  EXPECT_THAT(CallOnce(), StoredBytesWithin(1, {n() / 8.0 * sizeof(unsigned),
                                                "to store or add one count for 8 bytes"}));
}

// The bound is on wavefronts for each 32 bytes. One copy of the bins for a block takes 3.2 if all
// values are equally frequent, and 7.9 if they lie in one bank; atomics whose result is used take
// 32 if all bytes are equal. With a copy for each lane it is 1, and 512 for each block to clear
// the copies and to add them up: 2.0 in blocks that count 16 KiB each. Copies for half the lanes
// take 2.3 in blocks that count 32 KiB.
TEST_P(LongHistogram, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(2.5, {n() / 32.0, "to count each byte once"}));
}

// The lengths are multiples of 32,768, so that all parts of up to 128 equal ones begin at a sector,
// and blocks that count up to 32 KiB are full. The uniform text is longer than all others: a thread
// for each of its bytes takes several waves of blocks.
std::vector<Text> Graded() {
  const int longest = 32'768 * DrawnNumber("long", 49, 54);
  const int n =
      DrawnFrom("graded", 1, std::vector{1'474'560, 1'507'328, 1'540'096, 1'572'864}).front();
  return {{Letters::kUniform, longest}, {Letters::kOneBank, n}, {Letters::kEqual, n}};
}

// The lengths are around words, vectors, warps, blocks and what a block may count; primes; and 16
// bits. Most bins of the short texts are empty.
std::vector<Text> Texts() {
  std::vector<Text> texts;
  for (const int n : {1, 3, 4, 15, 16, 17, 31, 33, 255, 257, 1023, 4097, 16'385, 65'537, 99'991}) {
    texts.push_back({Letters::kMixed, n});
  }
  for (const int n : {7, 65'536, 131'101}) texts.push_back({Letters::kEqual, n});
  for (const int n : {61, 8191}) texts.push_back({Letters::kFew, n});
  return Joined(texts, Graded());
}

INSTANTIATE_TEST_SUITE_P(Texts, Histogram, ValuesIn(Texts()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Texts, LargestHistogram, Values(Text{Letters::kEqual, 3'000'000}),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Texts, LongHistogram, ValuesIn(Graded()), CaseNames());

}  // namespace
