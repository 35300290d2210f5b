#include "checks/checks.h"

#include <algorithm>
#include <limits>

#include "cipher.h"

namespace {

using testing::ValuesIn;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::ConstantReadsWithin;
using warpcheck::Described;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::GlobalLoadsWithin;
using warpcheck::GlobalStoresWithin;
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

struct Text {
  int length;
  int letters;
  int run;
};

constexpr int kLongest = 200'000;
constexpr int kLeast = std::numeric_limits<int>::min();
constexpr int kMost = std::numeric_limits<int>::max();

const Promised<&substitute> kPromised(  // NOLINT(cert-err58-cpp)
    {Described("text", "letters from 0 to `letters` - 1"), Integers("table", kLeast, kMost),
     Output("out"), Integers("n", 1, kLongest), Integers("letters", 1, kMostLetters),
     Integers("run", 1, 1000)});

void PrintTo(const Text& text, std::ostream* out) {
  *out << text.length << "_of_" << text.letters << "_in_runs_of_" << text.run;
}

class Cipher : public warpcheck::AssignmentOver<Text> {
 protected:
  int n() const { return GetParam().length; }
  int letters() const { return GetParam().letters; }
  double Sectors() const { return n() / 8.0; }  // of the text, and of the result
  double Warps() const { return n() / 32.0; }   // that a thread for each letter needs

  // Returns runs of random letters, of `run` to 2 * run - 1 letters each.
  std::vector<int> Letters() {
    const int run = GetParam().run;
    const auto most = static_cast<std::size_t>(n() / run) + 1;
    const std::vector<int> of_runs = RandomInts(most, 0, letters() - 1);
    const std::vector<int> lengths = RandomInts(most, run, 2 * run - 1);
    std::vector<int> text;
    for (std::size_t i = 0; i < most; ++i) {
      text.insert(text.end(), static_cast<std::size_t>(lengths[i]), of_runs[i]);
    }
    text.resize(static_cast<std::size_t>(n()));
    return text;
  }

  // The entries have all bits in use, and several letters may have the same.
  Plan Perform() override {
    const auto text = Upload(Letters());
    std::vector<int> entries = RandomInts(letters(), kLeast, kMost);
    if (letters() > 1) {
      entries.front() = kLeast;
      entries.back() = kMost;
    }
    const auto table = Upload(entries);
    return MakePlan<&substitute>(text, table, Unwritten<int>(n()), n(), letters(), GetParam().run);
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    Values<int> expected = CallOnce().Before<int>(0);
    const std::vector<int> table = CallOnce().Before<int>(1).data;
    for (int& letter : expected.data) letter = table[static_cast<std::size_t>(letter)];
    EXPECT_THAT(CallOnce().Output<int>(), ExactlyEquals(expected));
  }

  // The limit allows for a single thread, and for many blocks that each copy the table.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 5'000'000 + 100 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(Cipher, MatchesTable) { ExpectRight(); }

// The greatest length that the handout promises, with runs and without.
class LongestCipher : public warpcheck::Once<Cipher> {};

TEST_P(LongestCipher, MatchesTable) { ExpectRight(); }

TEST_P(Cipher, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// These texts are long enough for the copies of the table to cost little.
class LongText : public Cipher {};

// Threads that each take four neighbouring letters one by one load 4 times as many sectors.
TEST_P(LongText, MovesTheTextOnce) {
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(1.1, {Sectors(), "to load each letter once"}).Of("text"));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(1.1));
}

// The busiest block of each launch may load and store, together with those of the other launches, a
// quarter of the bytes of the text and of the result. The table is less than a hundredth of them.
TEST_P(LongText, SharesTheText) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(2.0 * n() * sizeof(int) / 4));
}

// The 32 letters of a warp are at most two different ones here, and so are the 128 letters that a
// warp has with four neighbours for each thread.
class TextOfRuns : public LongText {};

// In constant memory, a load takes a pass for each different letter: two for 32 letters at the
// most, and 1.2 on average. From global memory, a warp loads a sector for each different letter,
// which is 0.3 times the sectors of the text. A block that copies the table to shared memory loads
// 256 sectors, so that a tenth of the sectors of the text is enough for four blocks.
TEST_P(TextOfRuns, ReadsTheTableOfRuns) {
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(0.1, {Sectors(), "to load each letter once"})
                  .Of("table")
                  .WithHint("the letters of a warp are nearly always equal: constant memory gives "
                            "all lanes the same entry in one pass, without a copy for each block"));
  EXPECT_THAT(CallOnce(),
              ConstantReadsWithin(1, {2 * Warps(), "to read two entries for 32 letters"}));
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(6, {Warps(), "to read an entry for each letter"}));
}

// The 32 letters of a warp are about 30 different ones here.
class MixedText : public LongText {};

// From shared memory, 32 random words take 3.5 wavefronts on average. Keeping the table takes 8 for
// each block. Constant memory takes 30 passes. From global memory, a warp loads about 20 sectors,
// 5 times those of the text. A copy of the table for each block of 512 letters or more is half of
// the sectors of the text, or less.
TEST_P(MixedText, ReadsTheTableOfMixedLetters) {
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(0.55, {Sectors(), "to load each letter once"})
                  .Of("table")
                  .WithHint("copy the table to shared memory once for each block, and let each "
                            "block work on 512 letters or more"));
  EXPECT_THAT(CallOnce(),
              ConstantReadsWithin(6, {Warps(), "to read an entry for each letter"})
                  .WithHint("constant memory is read by one address at a time: the letters of a "
                            "warp differ here, so keep the table in shared memory"));
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(6, {Warps(), "to read an entry for each letter"}));
}

// Constant memory takes 31 passes here, and a copy from there to shared memory for each of 24
// blocks 20 to 27.4, which is for the shortest text.
class MixedTextOfManyLetters : public LongText {};

TEST_P(MixedTextOfManyLetters, ReadsTheTableOfMixedLetters) {
  EXPECT_THAT(CallOnce(), ConstantReadsWithin(29, {Warps(), "to read an entry for each letter"}));
}

// The lengths are multiples of 4096, so that all usual blocks are full and begin at a sector. Texts
// with runs and without have the same length, so that a program must choose by the runs.
std::vector<Text> OfDrawnLength(int letters, int run) {
  std::vector<Text> texts;
  for (const int length : {57'344, 61'440, 65'536, 69'632, 73'728, 77'824}) {
    texts.push_back({length, letters, run});
  }
  return DrawnFrom("length", 1, texts);
}

std::vector<Text> Runs() { return OfDrawnLength(kMostLetters, DrawnNumber("run", 128, 160)); }
std::vector<Text> Mixed() { return OfDrawnLength(256, 1); }
std::vector<Text> MixedOfMany() { return OfDrawnLength(kMostLetters, 1); }

std::vector<Text> Longest() {
  return {{kLongest, DrawnNumber("letters", 300, 2000), 1},
          {kLongest, kMostLetters, DrawnNumber("long run", 32, 200)}};
}

// The texts are of one letter; shorter than a warp, a block and a table; with runs around the
// length of a warp; and with the largest table.
std::vector<Text> Texts() {
  return Joined(Joined(Runs(), Joined(Mixed(), MixedOfMany())), {{1, 1, 1},
                                                                 {1, 2048, 128},
                                                                 {31, 26, 1},
                                                                 {33, 26, 1},
                                                                 {255, 256, 31},
                                                                 {257, 2, 32},
                                                                 {1000, 1, 1000},
                                                                 {1023, 100, 33},
                                                                 {1025, 2048, 1},
                                                                 {4097, 2047, 1},
                                                                 {10'007, 1025, 64},
                                                                 {20'011, 2048, 200}});
}

INSTANTIATE_TEST_SUITE_P(Texts, Cipher, ValuesIn(Texts()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Texts, LongestCipher, ValuesIn(Longest()),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Texts, LongText, ValuesIn(Joined(Runs(), Mixed())), CaseNames());

INSTANTIATE_TEST_SUITE_P(Texts, TextOfRuns, ValuesIn(Runs()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Texts, MixedTextOfManyLetters, ValuesIn(MixedOfMany()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Texts, MixedText, ValuesIn(Mixed()), CaseNames());

}  // namespace
