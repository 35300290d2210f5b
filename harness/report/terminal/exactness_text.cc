#include "report/terminal/exactness_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "device/finding.h"

namespace warpcheck {
namespace {

using emulator::Approximation;

// Returns what a finding says about the rest of the report; empty if it says nothing.
std::string LimitOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRaceLimit:
      return "only a part was checked for races";
    case FindingKind::kUnsupportedCall:
      return "the program calls a function that is not offered";
    case FindingKind::kInvalidPtx:
      return "the program has an instruction that is not executed";
    case FindingKind::kBudgetExceeded:
      return "a kernel was stopped at its budget of instructions";
    default:
      return "";
  }
}

std::string ApproximationsText(const std::vector<Approximation>& approximations,
                               const std::function<std::string(const SourceLocation&)>& shown) {
  const auto used = std::ranges::find_if(approximations, &Approximation::used);
  const Approximation& first = used != approximations.end() ? *used : approximations.front();
  std::string text = first.instruction + " at " + shown(first.where);
  if (approximations.size() > 1) {
    text += fmt::format(" and {} more", approximations.size() - 1);
  }
  text += approximations.size() > 1 ? " are" : " is";
  text += " approximate, and a GPU may compute other last digits; ";
  return text + (used == approximations.end() ? "no result depends on that"
                                              : "a result depends on that at " + shown(first.use));
}

}  // namespace

std::string ExactnessText(const run::ProcessResult& process,
                          const std::function<std::string(const SourceLocation&)>& shown) {
  std::vector<std::string> reasons;
  if (!process.approximations.empty()) {
    reasons.push_back(ApproximationsText(process.approximations, shown));
  }
  bool has_findings = false;
  const auto note = [&](const Finding& finding) {
    has_findings = true;
    const std::string limit = LimitOf(finding.kind);
    if (!limit.empty() && std::ranges::count(reasons, limit) == 0) reasons.push_back(limit);
  };
  for (const run::LaunchGroup& group : process.launches) {
    std::ranges::for_each(group.sum.findings, note);
  }
  std::ranges::for_each(process.findings, note);
  if (reasons.empty()) {
    if (process.launches.empty()) return "";
    return fmt::format("exact{}: a GPU gives the same bits for each instruction that ran",
                       has_findings ? ", apart from the findings below" : "");
  }
  return fmt::format("not exact: {}", fmt::join(reasons, "; "));
}

}  // namespace warpcheck
