#include "cli/class/score_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "batch/course/csv.h"

namespace warpcheck {
namespace {

constexpr std::size_t kShownChanges = 20;

}  // namespace

std::map<std::string, std::string> ScoresIn(const std::filesystem::path& out) {
  std::map<std::string, std::string> scores;
  const auto table = ReadFile(out / "grades.csv").and_then([](const std::string& text) {
    return batch::ParseCsv(text, "grades.csv");
  });
  if (!table || table->Column("score") < 0) return scores;
  const auto column = static_cast<std::size_t>(table->Column("score"));
  for (const auto& row : table->rows) scores[row.front()] = row[column];
  return scores;
}

void PrintScoreChanges(const std::map<std::string, std::string>& before,
                       const std::filesystem::path& out) {
  std::vector<std::string> changes;
  for (const auto& [id, score] : ScoresIn(out)) {
    const auto was = before.find(id);
    if (was == before.end() || was->second.empty() || was->second == score) continue;
    changes.push_back(
        fmt::format("  {}: {}, was {}", id, score.empty() ? "not final" : score, was->second));
  }
  if (changes.empty()) return;
  fmt::print("{} changed:\n", Counted(changes.size(), "score"));
  for (std::size_t i = 0; i < std::min(changes.size(), kShownChanges); ++i) {
    fmt::print("{}\n", changes[i]);
  }
  if (changes.size() > kShownChanges) fmt::print("  and {} more\n", changes.size() - kShownChanges);
}

}  // namespace warpcheck
