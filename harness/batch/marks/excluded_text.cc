#include "batch/marks/excluded_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "batch/marks/table_text.h"

namespace warpcheck::batch {
namespace {

void Add(std::string& text, std::string_view title, const std::vector<Excluded>& excluded) {
  if (excluded.empty()) return;
  text += fmt::format("{}\n", title);
  for (const Excluded& one : excluded) {
    text += fmt::format("  {}: {}\n", OnOneLine(one.what), OnOneLine(one.reason));
  }
  text += '\n';
}

std::string GroupsText(const std::vector<std::vector<std::string>>& groups) {
  std::string text;
  for (const auto& group : groups) text += fmt::format("  {}\n", fmt::join(group, " "));
  return text;
}

}  // namespace

std::string ExcludedText(const Table& table) {
  std::string text;
  Add(text, "Not graded; please look at these:", table.refused);
  Add(text, "Not graded, because another submission counts:", table.superseded);
  if (!table.missing.empty()) {
    text += "In the course's roster, but nothing handed in:\n";
    for (const Listed& one : table.missing) {
      text += fmt::format("  {} {}\n", OnOneLine(one.id), OnOneLine(one.name));
    }
    text += '\n';
  }
  if (const std::string same = GroupsText(SameFiles(table)); !same.empty()) {
    text +=
        "The same files, graded once (a hint, not a verdict: an unchanged template counts too):\n" +
        same;
  }
  return text.empty() ? "All submissions were graded, and no two are equal.\n" : text;
}

}  // namespace warpcheck::batch
