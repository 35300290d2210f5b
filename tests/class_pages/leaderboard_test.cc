#include "class_pages/leaderboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "report/page_rules.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Leaderboard::Row With(const std::string& name, std::optional<double> speed, std::uint64_t sectors,
                      std::uint64_t instructions) {
  return {.name = name, .speed = speed, .work = {.sectors = sectors, .instructions = instructions}};
}

std::vector<std::string> Places(Leaderboard board) {
  Rank(board);
  std::vector<std::string> places;
  for (const Leaderboard::Row& row : board.rows) {
    places.push_back(std::to_string(row.place) + " " + row.name);
  }
  return places;
}

TEST(Leaderboard, RanksBySpeed) {
  EXPECT_THAT(Places({.rows = {With("slow", 0.5, 1, 1), With("fast", 1.25, 9, 9)}}),
              ElementsAre("1 fast", "2 slow"));
}

TEST(Leaderboard, RanksByWorkWhereNoSpeedWasMeasured) {
  EXPECT_THAT(
      Places({.rows = {With("c", {}, 200, 10), With("b", {}, 100, 30), With("a", {}, 100, 20)}}),
      ElementsAre("1 a", "2 b", "3 c"));
}

TEST(Leaderboard, PutsUnmeasuredSubmissionsBehindMeasuredOnes) {
  EXPECT_THAT(Places({.rows = {With("little", {}, 1, 1), With("slow", 0.1, 99, 99)}}),
              ElementsAre("1 slow", "2 little"));
}

TEST(Leaderboard, SharesPlaces) {
  EXPECT_THAT(Places({.rows = {With("d", {}, 5, 5), With("c", 0.904, 1, 1), With("b", 0.896, 2, 2),
                               With("a", 0.88, 1, 1), With("e", {}, 5, 5), With("f", {}, 5, 6)}}),
              ElementsAre("1 b", "1 c", "3 a", "4 d", "4 e", "6 f"));
}

TEST(Leaderboard, IsAPage) {
  Leaderboard board{.title = "Transpose",
                    .rows = {With("red fox 7", 1.1, 12'345, 678), With("blue owl 1", {}, 5, 6)},
                    .unranked = 3};
  Rank(board);
  const std::string html = HtmlLeaderboard(board);
  EXPECT_THAT(html, HasSubstr("<title>Leaderboard: Transpose</title>"));
  EXPECT_THAT(html, HasSubstr("<bdi>red fox 7</bdi></th><td class=\"number\" "
                              "data-label=\"Speed\">1.10</td>"));
  EXPECT_THAT(html, HasSubstr("data-label=\"Speed\">-</td>"));
  EXPECT_THAT(html, HasSubstr("12,345"));
  EXPECT_THAT(html, HasSubstr("Submissions whose speed was not measured follow"));
  EXPECT_THAT(html, HasSubstr("3 more submissions have no place"));
}

TEST(Leaderboard, ShowsNoColumnOfSpeedsWithoutSpeeds) {
  Leaderboard board{.title = "T", .rows = {With("a", {}, 5, 6)}};
  Rank(board);
  const std::string html = HtmlLeaderboard(board);
  EXPECT_THAT(html, Not(HasSubstr("Speed")));
  EXPECT_THAT(html, HasSubstr("Places go by the work of the kernels"));
  EXPECT_THAT(html, Not(HasSubstr("have no place")));
}

TEST(Leaderboard, MayBeEmpty) {
  EXPECT_THAT(HtmlLeaderboard({.title = "T"}), HasSubstr("There is no right submission yet."));
}

TEST(Leaderboard, HoldsNothingButText) {
  Leaderboard board{.title = "<script>alert(1)</script>",
                    .rows = {With("<img src=x onerror=alert(1)>\u202e\"'{{name}}", 1, 1, 1)}};
  Rank(board);
  ExpectHarmless(HtmlLeaderboard(board));
}

}  // namespace
}  // namespace warpcheck
