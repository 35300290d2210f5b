#include "run/checkers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "emulator/checkers/checkers.h"

namespace warpcheck::run {
namespace {

bool IsChecker(std::string_view name) {
  const std::vector<CheckerName> checkers = Checkers();
  return std::ranges::find(checkers, name, &CheckerName::name) != checkers.end();
}

std::string AllNames() {
  std::vector<std::string_view> names;
  for (const CheckerName& checker : Checkers()) names.push_back(checker.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<CheckerName> Checkers() {
  std::vector<CheckerName> all;
  for (const emulator::Checker& checker : emulator::Checkers()) {
    all.push_back({checker.name, checker.finds, checker.in_all});
  }
  all.push_back({kApiChecker, "misuse of the CUDA runtime: unread errors, wrong copies, leaks"});
  return all;
}

Result<std::vector<std::string>> CheckersNamed(std::string_view list) {
  std::vector<std::string> names;
  if (list == "none") return names;
  if (list == "all") {
    for (const CheckerName& checker : Checkers()) {
      if (checker.in_all) names.emplace_back(checker.name);
    }
    return names;
  }
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (!IsChecker(name)) {
      return Fail(fmt::format("there is no checker \"{}\"", name), {},
                  fmt::format("there are: all, none, or some of {}", AllNames()));
    }
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    if (comma == std::string_view::npos) return names;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace warpcheck::run
