#include "checks/failures/bank_conflict_hint.h"

#include <gtest/gtest.h>

#include <functional>

namespace warpcheck {
namespace {

constexpr const char* kBanks =
    "word i of shared memory lies in bank i % 32, and one pass serves one word of each bank";

std::string HintOf(std::uint32_t bytes, const std::function<std::uint32_t(std::uint32_t)>& offset,
                   AccessExample::Kind kind = AccessExample::Kind::kLoad) {
  AccessExample example{.kind = kind, .mask = ~0U, .bytes = bytes, .cost = 32, .ideal = 1};
  for (std::uint32_t lane = 0; lane < 32; ++lane) example.offsets[lane] = offset(lane);
  LaunchRecord launch;
  launch.block = {16, 16, 1};
  LineCounters line;
  line.examples = {example};
  const std::string hint = BankConflictHint(launch, line);
  const std::string start = std::string(kBanks) + "; here ";
  return hint.starts_with(start) ? hint.substr(start.size()) : hint;
}

TEST(BankConflictHint, SaysTheLeastPadding) {
  EXPECT_EQ(
      HintOf(4, [](std::uint32_t lane) { return lane * 128; }),
      "lanes 0, 1, 2, ... and 31 access 32 words of the same bank; rows are 32 words apart: "
      "with 33 words, that is 1 more word of padding, there is no conflict. In an array without "
      "rows, element i then lies at i + i / 32");
  EXPECT_EQ(
      HintOf(4, [](std::uint32_t lane) { return lane % 16 * 68 + lane / 16 * 4; }),
      "lanes 0 and 31 access 2 words of the same bank; rows are 17 words apart: with 18 "
      "words, that is 1 more word of padding, there is no conflict. In an array without rows, "
      "element i then lies at i + i / 17");
  EXPECT_EQ(
      HintOf(8, [](std::uint32_t lane) { return lane * 256; }),
      "lanes 0, 1, 2, ... and 15 access 16 words of the same bank; rows are 32 elements of 8 "
      "bytes apart: with 33 elements of 8 bytes, that is 1 more element of 8 bytes of padding, "
      "there is no conflict. In an array without rows, element i then lies at i + i / 32");
  EXPECT_EQ(HintOf(1, [](std::uint32_t lane) { return lane * 33 + 1; }),
            "lanes 0 and 31 access 2 words of the same bank; rows are 33 bytes apart: with 36 "
            "bytes, that is 3 more bytes of padding, there is no conflict");
}

TEST(BankConflictHint, SaysTheLeastStride) {
  EXPECT_EQ(HintOf(4, [](std::uint32_t lane) { return lane * 16; }),
            "lanes 0, 8, 16 and 24 access 4 words of the same bank; the words of neighbouring "
            "lanes are 4 "
            "words apart: make that 5 words, or let neighbouring lanes access neighbouring words");
}

TEST(BankConflictHint, SaysWhereNoPaddingHelps) {
  EXPECT_EQ(
      HintOf(
          4, [](std::uint32_t) { return 0; }, AccessExample::Kind::kAtomic),
      "lanes 0, 1, 2, ... and 31 update the same word, which takes 32 turns; padding does not "
      "help: add up in registers or by shuffles first, and update the word once for each warp");
  EXPECT_NE(
      HintOf(4, [](std::uint32_t lane) { return (lane * lane * 7919 + lane * 131) % 997 * 4; })
          .find("padding by whole elements does not help"),
      std::string::npos);
}

TEST(BankConflictHint, SaysWhatBanksAreWhereNoAccessIsKnown) {
  EXPECT_EQ(BankConflictHint({}, {}),
            std::string(kBanks) +
                ": pad the rows of the tile, so that the words of a column lie in different banks");
}

}  // namespace
}  // namespace warpcheck
