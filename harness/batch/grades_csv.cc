#include <fmt/format.h>

#include "batch/table.h"
#include "report/clean_text.h"

namespace warpcheck::batch {
namespace {

std::string Quoted(const std::string& text) {
  if (text.find_first_of("\",\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + '"';
}

// Somebody's own words: on one line, and none that a spreadsheet takes for a formula.
std::string Words(const std::string& text) {
  std::string words = CleanText(text);
  for (char& c : words) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  const std::size_t first = words.find_first_not_of(' ');
  if (first != std::string::npos &&
      std::string_view("=+-@").find(words[first]) != std::string::npos) {
    words.insert(0, "'");
  }
  return Quoted(words);
}

std::string Percent(const Row& row) {
  if (!row.score_is_final || row.max_score == Points()) return "";
  // Rounded down: nobody has 100 who lacks a point.
  return Points::FromHundredths(row.score.hundredths() * 10'000 / row.max_score.hundredths())
      .Text();
}

}  // namespace

std::string GradesCsv(const Table& table) {
  std::string text = "id,name,score,max,percent,verdict";
  for (const Criterion& criterion : table.rubric.criteria) text += ',' + Words(criterion.name);
  text += ",late,submitted,digest,note\n";
  for (const Line& line : table.lines) {
    const Entry& entry = line.entry;
    text += fmt::format("{},{},", entry.id, Words(entry.name));
    if (line.row) {
      const Row& row = *line.row;
      text += fmt::format("{},{},{},{}", row.score_is_final ? row.score.Text() : "",
                          row.max_score.Text(), Percent(row), Name(row.verdict));
      for (const CriterionCell& cell : row.criteria) text += ',' + cell.points.Text();
    } else {
      text += fmt::format(",{},,not_graded", table.rubric.Total().Text());
      text.append(table.rubric.criteria.size(), ',');
    }
    text +=
        fmt::format(",{},{},{},{}\n", entry.late ? "late" : "", Words(entry.submitted),
                    line.digest.substr(0, 16), line.row ? Words(line.row->note) : "not graded yet");
  }
  return text;
}

}  // namespace warpcheck::batch
