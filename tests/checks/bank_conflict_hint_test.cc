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
  EXPECT_EQ(HintOf(4, [](std::uint32_t lane) { return lane * 128; }),
            "lanes 0, 1, 2, ... and 31 want 32 words of one bank; rows lie 32 words apart: with 33 "
            "words, 1 word of padding, they have no conflict");
  EXPECT_EQ(HintOf(4, [](std::uint32_t lane) { return lane % 16 * 68 + lane / 16 * 4; }),
            "lanes 0 and 31 want 2 words of one bank; rows lie 17 words apart: with 18 words, 1 "
            "word of padding, they have no conflict");
  EXPECT_EQ(HintOf(8, [](std::uint32_t lane) { return lane * 256; }),
            "lanes 0, 1, 2, ... and 15 want 16 words of one bank; rows lie 32 elements of 8 bytes "
            "apart: with 33 elements of 8 bytes, 1 element of 8 bytes of padding, they have no "
            "conflict");
}

TEST(BankConflictHint, SaysTheLeastStride) {
  EXPECT_EQ(HintOf(4, [](std::uint32_t lane) { return lane * 16; }),
            "lanes 0, 8, 16 and 24 want 4 words of one bank; they lie 4 words apart: with 5 words "
            "they have no conflict, nor where neighbouring lanes touch neighbouring words");
}

TEST(BankConflictHint, SaysWhereNoPaddingHelps) {
  EXPECT_EQ(HintOf(
                4, [](std::uint32_t) { return 0; }, AccessExample::Kind::kAtomic),
            "lanes 0, 1, 2, ... and 31 update one word, 32 turns; no padding helps: add up in "
            "registers or by shuffles first, and update it once for each warp");
  EXPECT_NE(
      HintOf(4, [](std::uint32_t lane) { return (lane * lane * 7919 + lane * 131) % 997 * 4; })
          .find("no padding by whole elements keeps them apart"),
      std::string::npos);
}

TEST(BankConflictHint, SaysWhatBanksAreWhereNoAccessIsKnown) {
  EXPECT_EQ(BankConflictHint({}, {}),
            std::string(kBanks) +
                ": pad the rows of the tile, so that the words of a column lie in different banks");
}

}  // namespace
}  // namespace warpcheck
