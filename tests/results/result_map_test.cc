#include "results/result_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/json/record.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

ResultMap Of(const std::vector<std::size_t>& extents) {
  ResultMap map = MapOf(extents);
  EXPECT_TRUE(IsWhole(map));
  return map;
}

TEST(ResultMap, HasACellForEachElementOfASmallArray) {
  ResultMap map = Of({2, 3});
  Mark(map, 1, ResultMap::kWrong);
  Mark(map, 5, ResultMap::kUnwritten);
  EXPECT_EQ(map.cells, ".x...u");
  EXPECT_THAT(map.block, ElementsAre(1, 1));
  EXPECT_THAT(PlaceOf(map.extents, 5), ElementsAre(1, 2));
  EXPECT_EQ(Of({7}).cells, ".......");
  EXPECT_EQ(Of({1}).cells, ".");
}

TEST(ResultMap, ShowsTheWorstOfABlock) {
  ResultMap map = Of({128, 65});
  EXPECT_THAT(map.block, ElementsAre(2, 2));
  ASSERT_EQ(map.cells.size(), 64U * 33);
  Mark(map, 0, ResultMap::kUnwritten);
  EXPECT_EQ(map.cells[0], 'u');
  Mark(map, 66, ResultMap::kWrong);  // the index of [1, 1]
  EXPECT_EQ(map.cells[0], 'x');
  Mark(map, 1, ResultMap::kUnwritten);
  EXPECT_EQ(map.cells[0], 'x');
  Mark(map, 128 * 65 - 1, ResultMap::kWrong);
  EXPECT_EQ(map.cells.back(), 'x');
  EXPECT_EQ(std::ranges::count(map.cells, '.'), 64 * 33 - 2);
}

TEST(ResultMap, IsBoundedForLargeArrays) {
  for (const std::vector<std::size_t>& extents :
       std::vector<std::vector<std::size_t>>{{std::size_t{1} << 40},
                                             {1, std::size_t{1} << 30},
                                             {100'000, 3},
                                             {513, 513, 513},
                                             {3, 1, 7000},
                                             {5, 6, 7, 8},
                                             {2, 2, 2, 2, 2, 1000}}) {
    ResultMap map = Of(extents);
    EXPECT_LE(map.cells.size(), 16'384U);
    EXPECT_LE(map.extents.size(), 3U);
    const std::uint64_t last =
        std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>()) - 1;
    Mark(map, last, ResultMap::kWrong);
    EXPECT_EQ(map.cells.back(), 'x');
  }
}

TEST(ResultMap, IsNotTakenWhereItFitsNoArray) {
  EXPECT_FALSE(IsWhole({}));
  const auto broken = [](auto change) {
    ResultMap map = Of({4, 4});
    map.inner = {{1, 2}, {1, 2}};
    EXPECT_TRUE(IsWhole(map));
    change(map);
    return !IsWhole(map);
  };
  EXPECT_TRUE(broken([](ResultMap& map) { map.cells += '.'; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.cells[3] = '<'; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.block[0] = 0; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.block.pop_back(); }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.extents[0] = 0; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.extents[0] = ~std::uint64_t{0}; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.first_wrong = 16; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.inner[0] = {3, 2}; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.inner[1].last = 4; }));
  EXPECT_TRUE(broken([](ResultMap& map) { map.inner.pop_back(); }));
}

TEST(ResultMap, IsKeptAsJson) {
  ResultMap map = Of({40, 1000});
  Mark(map, 999, ResultMap::kWrong);
  map.first_wrong = 999;
  map.first = "[0, 999]: expected 1, got 2";
  map.inner = {{1, 38}, {1, 998}};
  EXPECT_EQ(FromJson<ResultMap>(ToJson(map)), map);
}

}  // namespace
}  // namespace warpcheck
