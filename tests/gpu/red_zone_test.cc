#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "gpu/gpu_memory.h"

namespace warpcheck::gpu {
namespace {

TEST(RedZone, EveryWordIsANanInEveryFloatingPointType) {
  const auto zone = RedZone(0x1000, 4096);
  for (std::size_t i = 0; i < zone.size(); i += 8) {
    double wide = 0;
    float narrow[2] = {};
    std::uint16_t halves[4] = {};
    std::memcpy(&wide, zone.data() + i, 8);
    std::memcpy(narrow, zone.data() + i, 8);
    std::memcpy(halves, zone.data() + i, 8);
    ASSERT_TRUE(std::isnan(wide) && std::isnan(narrow[0]) && std::isnan(narrow[1])) << i;
    for (const std::uint16_t half : halves) {
      ASSERT_GT(half & 0x7FFF, 0x7C00) << i;  // NaN as a half
      ASSERT_GT(half & 0x7FFF, 0x7F80) << i;  // NaN as a bfloat16
    }
  }
}

TEST(RedZone, WordsDifferFromTheirNeighboursAndFromMinusOne) {
  const auto zone = RedZone(0x1000, 4096);
  std::set<std::uint32_t> values;
  for (std::size_t i = 0; i < zone.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, zone.data() + i, 4);
    ASSERT_NE(word, 0xFFFFFFFF);
    values.insert(word);
  }
  EXPECT_GT(values.size(), 100u);
}

TEST(RedZone, DependsOnTheAddressAlone) {
  const auto whole = RedZone(0x1000, 64);
  const auto part = RedZone(0x1003, 10);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 3));
}

TEST(RedZone, FindsNoDamageWhereThereIsNone) {
  EXPECT_EQ(FindDamage(0x1003, RedZone(0x1003, 100)), std::nullopt);
  EXPECT_EQ(FindDamage(0x1000, {}), std::nullopt);
}

TEST(RedZone, FindsEveryByteThatZerosAndOnesChange) {
  for (const auto value : {std::byte{0}, std::byte{1}, std::byte{0x7F}}) {
    auto zone = RedZone(0x1001, 50);
    zone[7] = zone[8] = zone[40] = value;
    EXPECT_EQ(FindDamage(0x1001, zone), (Damage{.first = 7, .last = 40, .changed = 3}));
  }
}

TEST(RedZone, FindsAWordOfMinusOne) {
  auto zone = RedZone(0x1000, 16);
  for (std::size_t i = 4; i < 8; ++i) zone[i] = std::byte{0xFF};
  EXPECT_EQ(FindDamage(0x1000, zone), (Damage{.first = 4, .last = 4, .changed = 1}));
}

}  // namespace
}  // namespace warpcheck::gpu
