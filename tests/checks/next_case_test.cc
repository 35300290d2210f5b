#include "checks/next_case.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "checks/random.h"

namespace warpcheck {
namespace {

// Cases 1 and 3 are the cheapest. Cases 6 and 7 cost more than a quarter of the dearest.
const std::vector<std::uint64_t> kCosts = {40, 10, 20, 10, 100, 30, 400, 101};

std::set<std::optional<std::size_t>> AllNextOf(std::size_t own,
                                               const std::vector<std::uint64_t>& costs) {
  std::set<std::optional<std::size_t>> found;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed, "next case");
    found.insert(NextCase(costs, own, random));
  }
  return found;
}

using Found = std::set<std::optional<std::size_t>>;

TEST(NextCase, TheFirstCheapestIsFollowedByADearOneWhateverTheSeed) {
  EXPECT_EQ(AllNextOf(1, kCosts), Found({4}));
}

TEST(NextCase, AnyOtherIsFollowedByAnyOtherCheapOne) {
  EXPECT_EQ(AllNextOf(3, kCosts), Found({0, 1, 2, 4, 5}));
  EXPECT_EQ(AllNextOf(6, kCosts), Found({0, 1, 2, 3, 4, 5}));
}

TEST(NextCase, CasesOfOneCostFollowEachOther) {
  EXPECT_EQ(AllNextOf(0, {7, 7, 7}), Found({1, 2}));
  EXPECT_EQ(AllNextOf(2, {7, 7, 7}), Found({0, 1}));
}

TEST(NextCase, ASingleCheapCaseHasNoOther) {
  EXPECT_EQ(AllNextOf(0, {7}), Found({std::nullopt}));
  EXPECT_EQ(AllNextOf(0, {7, 20}), Found({std::nullopt}));
  EXPECT_EQ(AllNextOf(1, {7, 20}), Found({0}));
}

}  // namespace
}  // namespace warpcheck
