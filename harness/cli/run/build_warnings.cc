#include "cli/run/build_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace warpcheck {
namespace {

// Reads a line like "warning: a.cu(4): Warning: Cannot store ...".
std::optional<BuildWarning> WarningIn(std::string_view line) {
  constexpr std::string_view kBefore = "warning: ";
  constexpr std::string_view kAfter = "): Warning: ";
  const std::size_t after = line.find(kAfter);
  if (!line.starts_with(kBefore) || after == line.npos) return std::nullopt;
  const std::size_t open = line.rfind('(', after);
  if (open == line.npos || open <= kBefore.size()) return std::nullopt;
  BuildWarning warning;
  warning.where.file = line.substr(kBefore.size(), open - kBefore.size());
  warning.text = line.substr(after + kAfter.size());
  const auto [end, error] =
      std::from_chars(line.data() + open + 1, line.data() + after, warning.where.line);
  if (error != std::errc() || end != line.data() + after) return std::nullopt;
  return warning;
}

}  // namespace

std::vector<BuildWarning> BuildWarningsIn(std::string_view output) {
  std::vector<BuildWarning> warnings;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const auto warning = WarningIn(output.substr(0, end));
    if (warning && std::ranges::find(warnings, *warning) == warnings.end()) {
      warnings.push_back(*warning);
    }
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return warnings;
}

void ExplainTraps(const std::vector<BuildWarning>& warnings,
                  std::vector<run::ProcessResult>& processes) {
  if (warnings.empty()) return;
  std::string text;
  for (const BuildWarning& warning : warnings) {
    text += fmt::format("; nvcc warned: {}: {}", warning.where.Text(), warning.text);
  }
  for (run::ProcessResult& process : processes) {
    for (run::LaunchGroup& group : process.launches) {
      for (Finding& finding : group.sum.findings) {
        if (finding.kind != FindingKind::kTrap || finding.where.known()) continue;
        finding.message += text;
        if (warnings.size() == 1) finding.where = warnings.front().where;
      }
    }
  }
}

}  // namespace warpcheck
