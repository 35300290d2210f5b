#include "report/exactness/exactness_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "device/finding.h"

namespace warpcheck {
namespace {

using emulator::Approximation;
using ShownPlace = std::function<std::string(const SourceLocation&)>;

// Returns what a finding says about the rest of the report; empty if it says nothing.
std::string LimitOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRaceLimit:
      return "only a part was checked for races";
    case FindingKind::kOrderLimit:
      return "only a part of the order was checked";
    case FindingKind::kUnsupportedCall:
      return "the program calls a function that is not offered";
    case FindingKind::kUnsupportedCode:
      return "the program has an instruction that is not executed";
    case FindingKind::kBudgetExceeded:
      return "a kernel was stopped at its budget of instructions";
    default:
      return "";
  }
}

// Code of another file, or without line information, has no place.
std::string At(const SourceLocation& where, const ShownPlace& shown) {
  return where.known() ? " at " + shown(where) : "";
}

std::string ApproximationsText(const std::vector<Approximation>& approximations,
                               const ShownPlace& shown) {
  const auto used = std::ranges::find_if(approximations, &Approximation::used);
  const Approximation& first = used != approximations.end() ? *used : approximations.front();
  std::string text = first.instruction + At(first.where, shown);
  if (approximations.size() > 1) {
    text += fmt::format(" and {} more", approximations.size() - 1);
  }
  text += approximations.size() > 1 ? " are" : " is";
  text += " approximate, and a GPU may compute other last digits; ";
  return text + (used == approximations.end() ? "no result depends on that"
                                              : "a result depends on that" + At(first.use, shown));
}

// Collects what the sentence is about.
struct Facts {
  std::vector<Approximation> approximations;  // each once
  std::vector<std::string> limits;            // each once
  bool has_findings = false;
  bool ran = false;  // true if a kernel ran

  void Add(const Finding& finding) {
    has_findings = true;
    const std::string limit = LimitOf(finding.kind);
    if (!limit.empty() && std::ranges::count(limits, limit) == 0) limits.push_back(limit);
  }

  std::string Text(const ShownPlace& shown) const {
    std::vector<std::string> reasons;
    if (!approximations.empty()) reasons.push_back(ApproximationsText(approximations, shown));
    reasons.insert(reasons.end(), limits.begin(), limits.end());
    if (!reasons.empty()) return fmt::format("not exact: {}", fmt::join(reasons, "; "));
    if (!ran) return "";
    return fmt::format("exact{}: a GPU gives the same bits for each instruction that ran",
                       has_findings ? ", apart from the findings below" : "");
  }
};

}  // namespace

std::string ExactnessText(const run::ProcessResult& process, const ShownPlace& shown) {
  Facts facts;
  facts.approximations = process.approximations;
  facts.ran = !process.launches.empty();
  for (const run::LaunchGroup& group : process.launches) {
    for (const Finding& finding : group.sum.findings) facts.Add(finding);
  }
  for (const Finding& finding : process.findings) facts.Add(finding);
  return facts.Text(shown);
}

std::string ExactnessText(const Grade& grade) {
  const ChecksReport& report = grade.attempt.report;
  if (report.device != "emulator") return "";
  Facts facts;
  facts.ran = !report.launches.empty();
  for (const CaseApproximation& one : report.approximations) {
    if (std::ranges::count(facts.approximations, one.approximation) == 0) {
      facts.approximations.push_back(one.approximation);
    }
  }
  // A report of a grade shows no findings that cost nothing, such as a leak: they change no bit.
  const auto add = [&facts](const Finding& finding) {
    if (!IsInformation(finding.kind) || !LimitOf(finding.kind).empty()) facts.Add(finding);
  };
  for (const CaseLaunch& launch : report.launches) {
    for (const Finding& finding : launch.record.findings) add(finding);
  }
  for (const CaseFinding& finding : report.findings) add(finding.finding);
  return facts.Text([](const SourceLocation& where) { return where.Text(); });
}

}  // namespace warpcheck
