#include "results/size_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "base/text.h"

namespace warpcheck {
namespace {

using Sizes = std::vector<std::uint64_t>;

// Returns the numbers in a name: 616, 5 and 420 in "616x5x420".
Sizes NumbersIn(const std::string& name) {
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  Sizes numbers;
  bool in_number = false;
  for (const char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && !in_number) numbers.push_back(0);
    if (digit)
      numbers.back() = std::min(kMost, numbers.back() * 10 + static_cast<unsigned>(c - '0'));
    in_number = digit;
  }
  return numbers;
}

std::string Place(std::size_t i, std::size_t count) {
  constexpr const char* kPlaces[] = {"1st", "2nd", "3rd", "4th", "5th", "6th"};
  return count == 1 ? "the number" : fmt::format("the {} number", kPlaces[i]);
}

constexpr std::size_t kMostNumbers = 6;

// A rule for sizes, and its text.
struct Rule {
  std::string text;
  std::function<bool(const Sizes&)> holds;
};

// Returns the rules to try, the simplest first.
std::vector<Rule> RulesFor(std::size_t count) {
  constexpr std::uint64_t kDivisors[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint64_t by : kDivisors) {
      rules.push_back({fmt::format("{} is a multiple of {}", Place(i, count), by),
                       [i, by](const Sizes& sizes) { return sizes[i] % by == 0; }});
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      for (const std::uint64_t by : kDivisors) {
        rules.push_back(
            {fmt::format("{} and {} are multiples of {}", Place(i, count), Place(j, count), by),
             [i, j, by](const Sizes& sizes) { return sizes[i] % by == 0 && sizes[j] % by == 0; }});
      }
      const std::string both = fmt::format("{} is {{}} {}", Place(i, count), Place(j, count));
      rules.push_back({fmt::format(fmt::runtime(both), "equal to"),
                       [i, j](const Sizes& sizes) { return sizes[i] == sizes[j]; }});
      rules.push_back({fmt::format(fmt::runtime(both), "at most"),
                       [i, j](const Sizes& sizes) { return sizes[i] <= sizes[j]; }});
      rules.push_back({fmt::format(fmt::runtime(both), "at least"),
                       [i, j](const Sizes& sizes) { return sizes[i] >= sizes[j]; }});
    }
  }
  for (const std::uint64_t by : kDivisors) {
    rules.push_back({fmt::format("all numbers are multiples of {}", by), [by](const Sizes& sizes) {
                       return std::ranges::all_of(
                           sizes, [by](std::uint64_t one) { return one % by == 0; });
                     }});
  }
  return rules;
}

// Adds rules that compare a number with the largest of those of right tests.
void AddBounds(std::vector<Rule>& rules, const std::vector<std::pair<Sizes, bool>>& tests,
               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t most = 0;
    for (const auto& [sizes, right] : tests) {
      if (right) most = std::max(most, sizes[i]);
    }
    rules.push_back({fmt::format("{} is at most {}", Place(i, count), Grouped(most)),
                     [i, most](const Sizes& sizes) { return sizes[i] <= most; }});
  }
}

std::string KindOf(const std::string& name) { return name.substr(0, name.rfind('/')); }

// Returns whether a complaint says no more than which numbers are wrong.
bool ShowsNumbersAlone(const Complaint& complaint) {
  return complaint.wrong_result && !complaint.where.known() && complaint.hint.empty();
}

}  // namespace

std::string SizePattern(const std::vector<SizedTest>& tests) {
  constexpr std::int64_t kLeast = 3;  // fewer tests fit some rule by chance
  std::vector<std::pair<Sizes, bool>> sized;
  for (const SizedTest& test : tests) sized.emplace_back(NumbersIn(test.name), test.right);
  if (sized.empty()) return {};
  const std::size_t count = sized.front().first.size();
  const bool alike =
      std::ranges::all_of(sized, [&](const auto& test) { return test.first.size() == count; });
  const auto right = std::ranges::count(sized, true, &std::pair<Sizes, bool>::second);
  const auto wrong = std::ssize(sized) - right;
  if (!alike || count == 0 || count > kMostNumbers || right < kLeast || wrong < kLeast) return {};
  std::vector<Rule> rules = RulesFor(count);
  AddBounds(rules, sized, count);
  const auto rule = std::ranges::find_if(rules, [&](const Rule& one) {
    return std::ranges::all_of(
        sized, [&](const auto& test) { return one.holds(test.first) == test.second; });
  });
  if (rule == rules.end()) return {};
  return fmt::format("right in the {} tests in whose names {}; wrong in the {} others", right,
                     rule->text, wrong);
}

void AddSizePatterns(ChecksReport& report) {
  std::map<std::string, std::vector<CaseResult*>> kinds;
  for (CaseResult& result : report.cases) kinds[KindOf(result.name)].push_back(&result);
  for (const auto& [kind, cases] : kinds) {
    std::vector<SizedTest> tests;
    bool told = true;  // each wrong result shows its numbers, and no other complaint
    for (const CaseResult* const result : cases) {
      const bool right = result->verdict == Verdict::kPassed;
      tests.push_back({result->name.substr(kind.size()), right});
      told = told && (right || (!result->complaints.empty() &&
                                std::ranges::all_of(result->complaints, &ShowsNumbersAlone)));
    }
    const std::string pattern = told ? SizePattern(tests) : std::string();
    if (pattern.empty()) continue;
    const auto first = std::ranges::find_if(
        cases, [](const CaseResult* result) { return !result->complaints.empty(); });
    (*first)->complaints.front().message += "\n  " + pattern;
  }
}

}  // namespace warpcheck
