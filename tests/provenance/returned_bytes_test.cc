#include "provenance/returned_bytes.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using Place = ReturnedBytes::Place;

std::vector<std::byte> Rising(std::size_t count, std::uint8_t first) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(first + i);
  return bytes;
}

TEST(ReturnedBytes, KnowsAWholeReadAndItsPartsInTheirOrder) {
  ReturnedBytes returned;
  returned.Read(Rising(16, 100));
  returned.Read(Rising(16, 0));
  EXPECT_EQ(returned.Find(Rising(16, 0)), (Place{.read = 1, .offset = 0}));
  EXPECT_EQ(returned.Find(Rising(4, 0)), (Place{.read = 1, .offset = 0}));
  EXPECT_EQ(returned.Find(Rising(8, 4)), (Place{.read = 1, .offset = 4}));
  EXPECT_EQ(returned.Find(Rising(4, 12)), (Place{.read = 1, .offset = 12}));
}

TEST(ReturnedBytes, DoesNotSearchForBytes) {
  ReturnedBytes returned;
  returned.Read(Rising(16, 0));
  EXPECT_EQ(returned.Find(Rising(4, 8)), std::nullopt) << "the host may have chosen them";
  EXPECT_EQ(returned.Find(Rising(17, 0)), std::nullopt);
  EXPECT_EQ(returned.Find(Rising(4, 1)), std::nullopt);
  returned.Forget();
  EXPECT_EQ(returned.Find(Rising(16, 0)), std::nullopt);
}

}  // namespace
}  // namespace warpcheck
