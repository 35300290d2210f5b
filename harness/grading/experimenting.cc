#include "grading/experimenting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text/kernel_name.h"
#include "grading/launch_lines.h"

namespace warpcheck {
namespace {

bool IsMistaken(const CaseResult& result) {
  return (result.verdict == Verdict::kFailed || result.verdict == Verdict::kError) &&
         result.targets.empty() && result.comparisons.empty() && !result.speed;
}

// Returns about how many warp instructions a launch executes that runs to its end. Launches that a
// mistake has ended have executed few of them.
std::uint64_t CostOf(const LaunchRecord& launch) {
  constexpr std::uint64_t kOfAWarp = 64;
  return launch.counters.OrZero(Counter::kWarpInstructions) + kOfAWarp * WarpsOf(launch);
}

// Returns the names of the mistaken cases, the one whose launches cost least first.
std::vector<std::string> MistakenCases(const ChecksReport& report) {
  std::map<std::string, std::uint64_t> costs;
  for (const CaseLaunch& launch : report.launches) {
    costs[launch.case_name] += CostOf(launch.record);
  }
  std::vector<std::pair<std::uint64_t, std::string>> by_cost;
  for (const CaseResult& result : report.cases) {
    if (!IsMistaken(result)) continue;
    const auto cost = costs.find(result.name);
    // A case whose call another case has made has no launches of its own.
    by_cost.emplace_back(cost == costs.end() ? UINT64_MAX : cost->second, result.name);
  }
  std::ranges::sort(by_cost);
  std::vector<std::string> names;
  for (auto& [cost, name] : by_cost) names.push_back(std::move(name));
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

std::string Hint(const std::vector<Experiment>& cures, Given given) {
  std::string changes;
  for (const Experiment& cure : cures) {
    if (!changes.empty()) changes += ", or ";
    changes += fmt::format("with {} {}", ChangeOf(cure, given), PlaceOf(cure));
  }
  return fmt::format("tried: {} all failed tests pass", changes);
}

}  // namespace

void AddExperiments(const ChecksCommand& command, ChecksProgram& checks,
                    const BuildPlainly& build_plainly,
                    const std::map<std::string, std::string>& sources, Given given,
                    ChecksReport& report) {
  ChecksCommand again = command;
  again.order.cases = MistakenCases(report);
  if (again.order.cases.empty()) return;
  for (const CaseResult& result : report.cases) {
    if (result.verdict == Verdict::kPassed && result.targets.empty() && !result.speed) {
      again.order.passed.push_back(result.name);
    }
  }
  const Result<compile::Artifact> plain = build_plainly();
  if (!plain) return;
  again.order.experiments = true;
  again.order.shared_object = plain->shared_object;
  again.order.sources = plain->sources;
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
  const std::string hint = Hint(cures, given);
  for (CaseResult& result : report.cases) {
    if (!IsMistaken(result)) continue;
    for (Complaint& complaint : result.complaints) {
      if (!complaint.where.known()) complaint.where = cures.front().where;
      complaint.hint = hint;
    }
  }
}

}  // namespace warpcheck
