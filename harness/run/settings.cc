#include "run/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/files.h"
#include "base/json/record.h"
#include "emulator/checkers/checkers.h"

namespace warpcheck::run {
namespace {

std::filesystem::path FileIn(const std::filesystem::path& folder) {
  return folder / "settings.json";
}

// Returns the names of the emulator's checkers and of the runtime's two checkers. If `in_all` is
// set, returns only those that "all" includes.
std::vector<std::string> CheckerNames(bool in_all) {
  std::vector<std::string> names;
  for (const emulator::Checker& checker : emulator::Checkers()) {
    if (checker.in_all || !in_all) names.emplace_back(checker.name);
  }
  names.emplace_back(kApiChecker);
  names.emplace_back(kOrderChecker);
  return names;
}

}  // namespace

Result<> WriteSettings(const std::filesystem::path& folder, const Settings& settings) {
  return WriteFile(FileIn(folder), JsonText(ToJson(settings)));
}

Result<Settings> ReadSettings(const std::filesystem::path& folder) {
  const auto text = WARPCHECK_TRY(ReadFile(FileIn(folder)));
  auto settings = ParseRecord<Settings>(text);
  if (!settings) return Fail(settings.error().message, {.file = FileIn(folder).string()});
  return settings;
}

std::string CheckerList() { return fmt::format("{}", fmt::join(CheckerNames(false), ", ")); }

Result<std::vector<std::string>> CheckersNamed(std::string_view list) {
  std::vector<std::string> names;
  if (list == "none") return names;
  if (list == "all") return CheckerNames(true);
  const std::vector<std::string> known = CheckerNames(false);
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (std::ranges::count(known, name) == 0) {
      return Fail(fmt::format("there is no checker \"{}\"", name), {},
                  fmt::format("choose all, none, or some of {}", CheckerList()));
    }
    if (std::ranges::count(names, name) == 0) names.emplace_back(name);
    if (comma == std::string_view::npos) return names;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace warpcheck::run
