#include "report/html/map_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

// Returns a map in which these elements are wrong.
ResultMap Of(const std::vector<std::size_t>& extents, const std::vector<std::uint64_t>& wrong) {
  ResultMap map = MapOf(extents);
  for (const std::uint64_t index : wrong) Mark(map, index, ResultMap::kWrong);
  map.first_wrong = wrong.front();
  map.first = "[0]: expected 1, got <b>";
  return map;
}

std::size_t Count(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

std::string Figure(const ResultMap& map) { return Rendered("map_figure", MapFigureModel(map)); }

TEST(MapFigure, DrawsRunsOfCells) {
  const std::string figure = Figure(Of({2, 4}, {1, 2, 7}));
  EXPECT_THAT(figure, HasSubstr("viewBox=\"0 0 4 2\""));
  EXPECT_THAT(figure, HasSubstr("<path class=\"wrong\" d=\"M1 0h2v1h-2zM3 1h1v1h-1z\"/>"));
  EXPECT_THAT(figure,
              HasSubstr("<path class=\"right\" d=\"M0 0h1v1h-1zM3 0h1v1h-1zM0 1h3v1h-3z\"/>"));
  EXPECT_THAT(figure, HasSubstr("<rect class=\"first\" x=\"1\" y=\"0\""));
  EXPECT_THAT(figure, HasSubstr("aria-label=\"3 of 8 cells wrong, 0 never written\""));
  EXPECT_THAT(
      figure,
      HasSubstr("an array of 2 x 4 elements. Look first at [0]: expected 1, got &lt;b&gt;"));
  EXPECT_THAT(figure, Not(HasSubstr("class=\"unwritten\"")));
}

TEST(MapFigure, DrawsOneDimensionInLines) {
  const std::string figure = Figure(Of({100}, {70}));
  EXPECT_THAT(figure, HasSubstr("viewBox=\"0 0 64 2\""));
  EXPECT_THAT(figure, HasSubstr("<rect class=\"first\" x=\"6\" y=\"1\""));
  EXPECT_THAT(Figure(Of({1}, {0})), HasSubstr("viewBox=\"0 0 1 1\""));
}

TEST(MapFigure, DrawsASliceOfThreeDimensionsEach) {
  const std::string figure = Figure(Of({3, 2, 2}, {4, 5, 6, 7}));
  EXPECT_EQ(Count(figure, "role=\"img\""), 3U);
  EXPECT_THAT(figure, HasSubstr("aria-label=\"[1, ...]: 4 of 4 cells wrong"));
  EXPECT_EQ(Count(figure, "class=\"first\" x="), 1U);
  EXPECT_THAT(Figure(Of({33, 100, 100}, {0})), HasSubstr("[4 to 7, ...]"));
}

TEST(MapFigure, OutlinesWhatIsInsideTheHalo) {
  ResultMap map = Of({4, 5}, {0});
  map.inner = {{1, 2}, {1, 3}};
  EXPECT_THAT(Figure(map),
              HasSubstr("<rect class=\"inner\" x=\"1\" y=\"1\" width=\"3\" height=\"2\"/>"));
  ResultMap box = Of({4, 4, 4}, {0});
  box.inner = {{1, 2}, {1, 2}, {1, 2}};
  EXPECT_EQ(Count(Figure(box), "class=\"inner\" x="), 2U);
  ResultMap large = Of({128, 256}, {0});
  large.inner = {{1, 126}, {1, 254}};
  EXPECT_THAT(Figure(large), HasSubstr("x=\"0\" y=\"0\" width=\"64\" height=\"64\"/>"));
}

TEST(MapFigure, IsBoundedHoweverLargeTheArray) {
  std::vector<std::uint64_t> every_second;
  for (std::uint64_t i = 0; i < 4'096; i += 2) every_second.push_back(i);
  EXPECT_LT(Figure(Of({64, 64}, every_second)).size(), 80'000U);
  const std::string figure = Figure(Of({std::size_t{1} << 20, std::size_t{1} << 20}, {0}));
  EXPECT_LT(figure.size(), 10'000U);
  EXPECT_THAT(figure, HasSubstr("each cell stands for 16,384 x 16,384 elements"));
}

TEST(MapFigure, IsEmptyForWhatIsNoMap) {
  ResultMap map = Of({4}, {0});
  map.cells = "<<<<";
  EXPECT_TRUE(MapFigureModel(map).is_null());
  EXPECT_TRUE(MapFigureModel({}).is_null());
}

}  // namespace
}  // namespace warpcheck
