#include "grading/experimenting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text/kernel_name.h"
#include "grading/case_costs.h"
#include "grading/launch_lines.h"

namespace warpcheck {
namespace {

bool IsMistaken(const CaseResult& result) {
  return (result.verdict == Verdict::kFailed || result.verdict == Verdict::kError) &&
         result.targets.empty() && result.comparisons.empty() && !result.speed;
}

// Experiments leave out cases of a high cost, unless only few cases failed.
constexpr std::size_t kFew = 4;

// Returns the names of the cheap ones of the cases for which `is_wanted` is true, the cheapest
// first, and at least `fewest` if there are so many.
template <class IsWanted>
std::vector<std::string> CheapCases(const ChecksReport& report, const CaseCosts& costs,
                                    std::size_t fewest, IsWanted is_wanted) {
  std::vector<std::pair<std::uint64_t, std::string>> by_cost;
  for (const CaseResult& result : report.cases) {
    if (is_wanted(result)) by_cost.emplace_back(costs.Of(result.name), result.name);
  }
  std::ranges::sort(by_cost);
  std::vector<std::string> names;
  for (auto& [cost, name] : by_cost) {
    if (cost <= kHighCaseCost || names.size() < fewest) names.push_back(std::move(name));
  }
  return names;
}

std::string PlaceOf(const Experiment& cure) {
  if (cure.kernel.empty()) return fmt::format("line {}", cure.where.line);
  const std::string launch = "the launch of " + PlainKernelName(cure.kernel);
  return cure.where.known() ? fmt::format("{} in line {}", launch, cure.where.line) : launch;
}

// Returns what the change is, as much as students are told of it.
std::string ChangeOf(const Experiment& cure, Given given) {
  if (given == Given::kLine) return "one small change in";
  return given == Given::kKind ? cure.phrase : cure.change + " in";
}

// `mistaken` is the number of cases that failed.
std::string Hint(const std::vector<Experiment>& cures, Given given, std::size_t mistaken) {
  std::string changes;
  for (const Experiment& cure : cures) {
    if (!changes.empty()) changes += ", or ";
    changes += fmt::format("with {} {}", ChangeOf(cure, given), PlaceOf(cure));
  }
  if (cures.front().cured == mistaken) {
    return fmt::format("tried: {} all failed tests pass", changes);
  }
  return fmt::format("tried: {}, {} of {} failed tests pass; the larger ones were not tried",
                     changes, cures.front().cured, mistaken);
}

}  // namespace

void AddExperiments(const ChecksCommand& command, ChecksProgram& checks,
                    const BuildPlainly& build_plainly,
                    const std::map<std::string, std::string>& sources, Given given,
                    ChecksReport& report) {
  ChecksCommand again = command;
  const CaseCosts costs(report.launches);
  again.order.cases = CheapCases(report, costs, kFew, &IsMistaken);
  if (again.order.cases.empty()) return;
  again.order.passed = CheapCases(report, costs, 0, [](const CaseResult& result) {
    return result.verdict == Verdict::kPassed && result.targets.empty() && !result.speed;
  });
  const bool only_kernels = command.order.sources.size() == 1;
  const Result<compile::Artifact> plain = build_plainly(only_kernels);
  if (!plain) return;
  again.order.experiments = true;
  (only_kernels ? again.order.plain_ptx : again.order.shared_object) = plain->shared_object;
  if (!plain->sources.empty()) again.order.sources = plain->sources;
  again.order.modules.clear();
  again.order.dump.clear();
  const Result<ChecksRun> run = checks.Run(again, {});
  if (!run || !run->finished || !run->report.experiments) return;
  report.experiments = run->report.experiments;
  report.experiments->given = given;
  std::vector<Experiment>& cures = report.experiments->cures;
  for (Experiment& cure : cures) {
    if (!cure.kernel.empty()) cure.where = LaunchLine(cure.kernel, sources);
  }
  if (cures.empty() || cures.size() > kMostCures) return;
  const auto mistaken = std::ranges::count_if(report.cases, &IsMistaken);
  const std::string hint = Hint(cures, given, static_cast<std::size_t>(mistaken));
  for (CaseResult& result : report.cases) {
    if (!IsMistaken(result)) continue;
    for (Complaint& complaint : result.complaints) {
      if (!complaint.where.known()) complaint.where = cures.front().where;
      complaint.hint = hint;
    }
  }
}

}  // namespace warpcheck
