#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "batch/table.h"
#include "report/clean_text.h"

namespace warpcheck::batch {
namespace {

std::string OnOneLine(const std::string& text) {
  std::string line = CleanText(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

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

std::vector<std::vector<std::string>> SameFiles(const Table& table) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Line& line : table.lines) {
    if (!line.digest.empty()) groups[line.digest].push_back(line.entry.id);
  }
  std::vector<std::vector<std::string>> same;
  for (const Line& line : table.lines) {
    const auto group = groups.find(line.digest);
    if (group == groups.end() || group->second.size() < 2) continue;
    same.push_back(std::move(group->second));
    groups.erase(group);
  }
  return same;
}

std::string ExcludedText(const Table& table) {
  std::string text;
  Add(text, "Not graded; a person has to look:", table.refused);
  Add(text, "Not graded, because a newer one is:", table.superseded);
  if (const std::string same = GroupsText(SameFiles(table)); !same.empty()) {
    text +=
        "The same files, graded once (a hint, not a verdict: a template that nobody changed "
        "counts too):\n" +
        same;
  }
  return text.empty() ? "Nothing was left out, and no two submissions are the same.\n" : text;
}

}  // namespace warpcheck::batch
