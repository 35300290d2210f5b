// Tests which pages of this process count as used.
#include "hostwatch/host_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

namespace warpcheck {
namespace {

using Parts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Parts UsedPartsOf(const std::byte* start, std::uint64_t bytes) {
  Parts parts;
  EachUsedPart(start, bytes,
               [&](std::uint64_t begin, std::uint64_t end) { parts.emplace_back(begin, end); });
  return parts;
}

TEST(HostPagesTest, OnlyPagesThatWereUsedCount) {
  const std::size_t page = PageBytes();
  const std::size_t bytes = 10'000 * page;
  std::byte* const start = MapPages(bytes);
  ASSERT_NE(start, nullptr);
  EXPECT_TRUE(UsedPartsOf(start, bytes).empty());
  start[3 * page + 5] = std::byte{1};
  start[4 * page] = std::byte{0};
  start[9'000 * page] = std::byte{1};
  EXPECT_EQ(UsedPartsOf(start, bytes), (Parts{{3 * page, 5 * page}, {9'000 * page, 9'001 * page}}));
  // A range that begins and ends within pages.
  EXPECT_EQ(UsedPartsOf(start + 3 * page + 100, page), (Parts{{0, page}}));
  UnmapPages(start, bytes);
}

TEST(HostPagesTest, SparseBytesAreZeros) {
  SparseBytes bytes(5'000);
  ASSERT_EQ(bytes.bytes().size(), 5'000U);
  EXPECT_EQ(bytes.bytes()[4'999], std::byte{0});
  bytes.bytes()[7] = std::byte{3};
  const SparseBytes moved = std::move(bytes);
  EXPECT_EQ(moved.bytes()[7], std::byte{3});
  EXPECT_TRUE(SparseBytes().is_empty());
}

}  // namespace
}  // namespace warpcheck
