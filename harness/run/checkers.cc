#include "run/checkers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpcheck::run {
namespace {

constexpr Checker kCheckers[] = {
    {"races", "accesses of several threads to one address that nothing orders",
     [](emulator::Options& options) { options.find_races = true; }},
    {"initialisation", "uses of memory that nothing has written",
     [](emulator::Options& options) {
       options.initialisation = emulator::Options::Initialisation::kUses;
     }},
    {"every-read", "reads of memory that nothing has written, whether used or not",
     [](emulator::Options& options) {
       options.initialisation = emulator::Options::Initialisation::kEveryRead;
     },
     false},
    {kApiChecker, "misuse of the CUDA runtime: unread errors, wrong copies, leaks", nullptr},
};

bool IsChecker(std::string_view name) {
  return std::ranges::any_of(kCheckers,
                             [&](const Checker& checker) { return checker.name == name; });
}

std::string AllNames() {
  std::vector<std::string_view> names;
  for (const Checker& checker : kCheckers) names.push_back(checker.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const Checker> Checkers() { return kCheckers; }

Result<std::vector<std::string>> CheckersNamed(std::string_view list) {
  std::vector<std::string> names;
  if (list == "none") return names;
  if (list == "all") {
    for (const Checker& checker : kCheckers) {
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
