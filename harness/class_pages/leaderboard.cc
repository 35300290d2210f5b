#include "class_pages/leaderboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"
#include "class_pages/class_table.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"

namespace warpcheck {
namespace {

long Hundredths(double speed) { return std::lround(speed * 100); }

// Returns what the places depend on: the smaller, the better.
std::tuple<bool, long, Leaderboard::Work> KeyOf(const Leaderboard::Row& row) {
  if (row.speed) return {false, -Hundredths(*row.speed), {}};
  return {true, 0, row.work};
}

// Returns the beginning of a sentence: "1 more submission has". Returns nothing for none.
std::string Unranked(std::size_t number) {
  if (number == 0) return {};
  return Counted(number, "more submission") + (number == 1 ? " has" : " have");
}

}  // namespace

void Rank(Leaderboard& board) {
  std::ranges::sort(board.rows, {},
                    [](const Leaderboard::Row& row) { return std::tuple(KeyOf(row), row.name); });
  for (std::size_t i = 0; i < board.rows.size(); ++i) {
    Leaderboard::Row& row = board.rows[i];
    const bool tie = i > 0 && KeyOf(row) == KeyOf(board.rows[i - 1]);
    row.place = tie ? board.rows[i - 1].place : i + 1;
  }
}

std::string SpeedText(double speed) {
  return fmt::format("{:.2f}", static_cast<double>(Hundredths(speed)) / 100);
}

std::string HtmlLeaderboard(const Leaderboard& board) {
  PageModel rows = PageModel::array();
  bool any_speed = false;
  bool all_speeds = true;
  for (const Leaderboard::Row& row : board.rows) {
    (row.speed ? any_speed : all_speeds) = row.speed.has_value();
    rows.push_back({{"place", row.place},
                    {"name", Shortened(row.name, kMaxNameShown)},
                    {"speed", row.speed ? SpeedText(*row.speed) : ""},
                    {"sectors", Grouped(row.work.sectors)},
                    {"instructions", Grouped(row.work.instructions)}});
  }
  const std::string title = Shortened(board.title, kMaxNameShown);
  return HtmlPage("leaderboard", "Leaderboard: " + board.title,
                  {{"title", title},
                   {"rows", std::move(rows)},
                   {"is_empty", board.rows.empty()},
                   {"any_speed", any_speed},
                   {"some_without", any_speed && !all_speeds},
                   {"unranked", Unranked(board.unranked)}});
}

}  // namespace warpcheck
