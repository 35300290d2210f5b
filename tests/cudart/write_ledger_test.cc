// Tests what is known about who has written memory of the device.
#include "cudart/tables/write_ledger.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace warpcheck::cudart {
namespace {

// A set of bytes as a set of numbers does the same.
TEST(ByteRangesTest, AreASetOfBytes) {
  std::mt19937 random(5);
  ByteRanges ranges;
  std::set<std::uint64_t> bytes;
  const auto number = [&](std::uint64_t most) { return random() % most; };
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t begin = number(100), end = begin + number(20);
    const bool adds = number(2) == 0;
    adds ? ranges.Add(begin, end) : ranges.Remove(begin, end);
    for (std::uint64_t at = begin; at < end; ++at) {
      if (adds) bytes.insert(at);
      if (!adds) bytes.erase(at);
    }
    const std::uint64_t from = number(100), to = from + number(40);
    std::uint64_t count = 0, first = to;
    for (std::uint64_t at = from; at < to; ++at) {
      count += bytes.count(at);
      if (first == to && bytes.count(at) == 0) first = at;
    }
    ASSERT_EQ(ranges.CountIn(from, to), count);
    ASSERT_EQ(ranges.FirstOutside(from, to), first);
  }
}

class WriteLedgerTest : public testing::Test {
 protected:
  void Launch(std::uint64_t begin, std::uint64_t end) {
    ledger.Launched(
        {{MemoryUse::Kind::kRead, 0, 1'000}, {MemoryUse::Kind::kWrite, begin, end}},
        [](std::uint64_t) { return std::pair<std::uint64_t, std::uint64_t>(0, 1'000); });
  }
  WriteLedger ledger;
};

TEST_F(WriteLedgerTest, SaysWhatNobodyWrote) {
  EXPECT_EQ(ledger.CopiedToHost(0, 100),
            "no launch has written any of these 100 bytes, and nothing else has");
  Launch(0, 60);
  EXPECT_EQ(ledger.CopiedToHost(0, 100),
            "no launch has written 40 of these 100 bytes, and nothing else has. The first is byte "
            "60");
  Launch(60, 100);
  EXPECT_EQ(ledger.CopiedToHost(100, 100), "");
}

TEST_F(WriteLedgerTest, SaysWhatTheHostFilled) {
  Launch(0, 100);
  ledger.HostWrote(0, 100);
  EXPECT_EQ(ledger.CopiedToHost(0, 100),
            "no launch has written any of these 100 bytes since the host last filled them");
  Launch(0, 100);
  EXPECT_EQ(ledger.CopiedToHost(0, 100), "");
}

TEST_F(WriteLedgerTest, SaysWhatIsAsItWasCopiedBefore) {
  Launch(0, 100);
  EXPECT_EQ(ledger.CopiedToHost(0, 100), "");
  EXPECT_EQ(ledger.CopiedToHost(0, 100), "") << "the host may copy twice";
  Launch(0, 25);
  EXPECT_EQ(ledger.CopiedToHost(0, 100),
            "since the host last copied these 100 bytes, launches have written only 25 of them");
  Launch(0, 100);
  EXPECT_EQ(ledger.CopiedToHost(0, 100), "");
}

// A launch whose writes may not all be known has written whole arrays.
TEST_F(WriteLedgerTest, ClaimsNothingOfWhatItDoesNotKnow) {
  std::vector<MemoryUse> uses;
  for (std::uint64_t i = 0; i < kMostUses; ++i) {
    uses.push_back({MemoryUse::Kind::kRead, 1'000'000 + 2 * i, 1'000'001 + 2 * i});
  }
  ledger.Launched(uses, [](std::uint64_t) {
    return std::pair<std::uint64_t, std::uint64_t>(1'000'000, 2'000'000);
  });
  EXPECT_EQ(ledger.CopiedToHost(1'000'000, 2'000'000), "");
}

}  // namespace
}  // namespace warpcheck::cudart
