#include "base/round_up.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpcheck {
namespace {

TEST(RoundUp, LeavesMultiplesAlone) {
  EXPECT_EQ(RoundUp(0, 16), 0u);
  EXPECT_EQ(RoundUp(16, 16), 16u);
  EXPECT_EQ(RoundUp(4096, 16), 4096u);
}

TEST(RoundUp, GoesToTheNextMultiple) {
  EXPECT_EQ(RoundUp(1, 16), 16u);
  EXPECT_EQ(RoundUp(15, 16), 16u);
  EXPECT_EQ(RoundUp(17, 16), 32u);
  EXPECT_EQ(RoundUp(7, 3), 9u);  // the unit need not be a power of two
}

TEST(RoundUp, KeepsTheValueWithoutAUnit) {
  EXPECT_EQ(RoundUp(13, 1), 13u);
  EXPECT_EQ(RoundUp(13, 0), 13u);
}

TEST(RoundUp, HoldsBeyond32Bits) {
  EXPECT_EQ(RoundUp((std::uint64_t{1} << 40) + 1, 512), (std::uint64_t{1} << 40) + 512);
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(RoundUp(kMax - 15, 16), kMax - 15);
}

}  // namespace
}  // namespace warpcheck
