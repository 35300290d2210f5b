#include "batch/marks/leaderboard_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/hash.h"
#include "batch/course/csv.h"
#include "batch/marks/table_text.h"
#include "grading/student_view.h"

namespace warpcheck::batch {
namespace {

constexpr std::string_view kColours[] = {"amber", "black", "blue",   "bronze", "coral", "copper",
                                         "cyan",  "gold",  "green",  "grey",   "ivory", "jade",
                                         "lilac", "red",   "silver", "white"};
constexpr std::string_view kAnimals[] = {"badger", "crane", "dolphin", "falcon", "finch", "fox",
                                         "gecko",  "hare",  "heron",   "ibis",   "lynx",  "marten",
                                         "otter",  "owl",   "raven",   "seal"};

// Returns whether a case shows that the submission is wrong.
bool IsWrong(const CaseResult& result) {
  using enum Verdict;
  if (result.speed) return result.speed->outcome == SpeedRatio::Outcome::kWrong;
  if (result.verdict == kFailed) {
    return std::ranges::all_of(result.targets, &CaseResult::Target::met);
  }
  return result.verdict == kError || result.verdict == kHarnessFault;
}

}  // namespace

std::optional<Leaderboard::Row> StandingOf(const Grade& grade) {
  if (!grade.attempt.build.artifact) return std::nullopt;
  const ChecksReport report = StudentView(grade).attempt.report;
  Leaderboard::Row row;
  double logarithms = 0;
  int speeds = 0;
  for (const CaseResult& result : report.cases) {
    if (IsWrong(result)) return std::nullopt;
    if (!result.speed || result.speed->pairs == 0) continue;
    logarithms += std::log(result.speed->ratio);
    ++speeds;
  }
  // The geometric mean does not depend on which of the two times is the numerator.
  if (speeds > 0) row.speed = std::exp(logarithms / speeds);
  bool any = false;
  for (const CaseLaunch& launch : report.launches) {
    const auto sectors = launch.record.counters[Counter::kGlobalSectors];
    const auto instructions = launch.record.counters[Counter::kWarpInstructions];
    if (!sectors || !instructions) return std::nullopt;
    row.work.sectors += *sectors;
    row.work.instructions += *instructions;
    any = true;
  }
  return any ? std::optional(row) : std::nullopt;
}

std::string Pseudonym(const std::string& id, const std::string& digest) {
  const std::string hash = Sha256({"pseudonym", id, digest});
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    std::from_chars(hash.data() + at, hash.data() + at + 4, value, 16);
    return value;
  };
  return fmt::format("{} {} {}", kColours[number(0) % std::size(kColours)],
                     kAnimals[number(4) % std::size(kAnimals)], number(8) % 1000);
}

Leaderboard LeaderboardOf(const Table& table, bool with_names) {
  Leaderboard board{.title = table.rubric.title};
  for (const Line& line : table.lines) {
    if (!line.row) continue;
    if (!line.row->standing) {
      ++board.unranked;
      continue;
    }
    Leaderboard::Row& row = board.rows.emplace_back(*line.row->standing);
    row.name = with_names ? line.entry.name : Pseudonym(line.entry.id, line.secret);
  }
  Rank(board);
  return board;
}

std::string LeaderboardCsv(const Leaderboard& board) {
  CsvTable csv;
  csv.header = {"place", "name", "speed", "global_sectors", "warp_instructions"};
  for (const Leaderboard::Row& row : board.rows) {
    csv.rows.push_back({std::to_string(row.place), CellText(row.name),
                        row.speed ? SpeedText(*row.speed) : "", std::to_string(row.work.sectors),
                        std::to_string(row.work.instructions)});
  }
  return CsvText(csv);
}

std::string PseudonymsCsv(const Table& table) {
  CsvTable csv;
  csv.header = {"id", "name", "pseudonym"};
  for (const Line& line : table.lines) {
    csv.rows.push_back(
        {line.entry.id, CellText(line.entry.name), Pseudonym(line.entry.id, line.secret)});
  }
  return CsvText(csv);
}

}  // namespace warpcheck::batch
