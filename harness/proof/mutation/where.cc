#include "proof/mutation/where.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::mutation {
namespace {

int LineOfOffset(const Source& source, std::size_t offset) {
  const auto begin = source.text().begin();
  return 1 + static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(offset), '\n'));
}

// Returns the line of the last token that ends before the offset; 0 if there is none.
int LineBefore(const Source& source, std::size_t offset) {
  int line = 0;
  for (const Token& token : source.tokens()) {
    if (token.offset >= offset) break;
    line = token.line;
  }
  return line;
}

std::string Row(const std::string& name, const WhereCounts& counts) {
  const auto share = [](std::size_t part, std::size_t of) {
    return of == 0 ? std::string("-") : fmt::format("{} %", (100 * part + of / 2) / of);
  };
  return fmt::format("{:<22}{:>6}{:>7}{:>7}{:>16}{:>8}{:>7}{:>7}\n", name, counts.lost,
                     counts.found, share(counts.found, counts.lost), counts.by_experiments,
                     counts.lines, counts.right, share(counts.right, counts.lines));
}

}  // namespace

std::set<int> WrongLines(const Source& source, const Mutant& mutant) {
  std::set<int> lines;
  for (const Edit& edit : mutant.edits) {
    const int last = LineOfOffset(source, edit.offset + edit.length);
    for (int line = LineOfOffset(source, edit.offset); line <= last; ++line) lines.insert(line);
    if (edit.replacement.size() < edit.length) lines.insert(LineBefore(source, edit.offset));
  }
  return lines;
}

WhereCounts& WhereCounts::operator+=(const WhereCounts& more) {
  lost += more.lost;
  found += more.found;
  by_experiments += more.by_experiments;
  lines += more.lines;
  right += more.right;
  return *this;
}

void AddTo(WhereTable& table, const Source& source, const Trial& trial) {
  const Grading& grading = trial.grading;
  if (grading.outcome != Grading::Outcome::kKilled) return;
  const std::set<int> wrong = WrongLines(source, trial.mutant);
  const auto right = static_cast<std::size_t>(
      std::ranges::count_if(grading.named, [&](int line) { return wrong.contains(line); }));
  table[std::string(trial.mutant.kind)] +=
      {.lost = 1,
       .found = right > 0 ? 1U : 0U,
       .by_experiments = right > 0 && grading.named_by_experiments ? 1U : 0U,
       .lines = grading.named.size(),
       .right = right};
}

std::string TextOf(const WhereTable& table) {
  std::string text = fmt::format("{:<22}{:>6}{:>14}{:>16}{:>8}{:>14}\n", "kind of change", "lost",
                                 "line found", "by experiments", "lines", "right");
  WhereCounts all;
  for (const auto& [kind, counts] : table) {
    text += Row(kind, counts);
    all += counts;
  }
  return text + Row("all", all);
}

}  // namespace warpcheck::mutation
