#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace warpcheck {
namespace {

// Returns how many insertions, deletions and replacements lead from one text to the other.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

std::string Grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t digits = 3; digits < text.size(); digits += 4) {
    text.insert(text.size() - digits, ",");
  }
  return text;
}

std::string Counted(std::uint64_t number, std::string_view noun) {
  const bool hisses =
      noun.ends_with('s') || noun.ends_with('x') || noun.ends_with("ch") || noun.ends_with("sh");
  return Grouped(number) + ' ' + std::string(noun) + (number == 1 ? "" : hisses ? "es" : "s");
}

std::string_view Nearest(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t kMostTypos = 3;
  constexpr std::size_t kLongest = 200;  // a longer word was not typed by a person
  if (word.size() > kLongest) return {};
  const auto distance = [&](std::string_view other) { return EditDistance(word, other); };
  const auto near = std::ranges::min_element(names, {}, distance);
  return near != names.end() && distance(*near) <= kMostTypos ? *near : std::string_view();
}

}  // namespace warpcheck
