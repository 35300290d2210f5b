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

// Experiments leave out cases that cost more, unless only few cases failed.
constexpr std::uint64_t kMostCost = 2'000'000;
constexpr std::size_t kFew = 4;

// The costs of cases. Cases whose call another case has made have no launches of their own: their
// cost is that of the case with the same parameter, which is the last part of their name, or if
// there is none as high as is allowed.
class Costs {
 public:
  explicit Costs(const std::vector<CaseLaunch>& launches) {
    for (const CaseLaunch& launch : launches) of_case_[launch.case_name] += CostOf(launch.record);
    for (const auto& [name, cost] : of_case_) {
      std::uint64_t& known = of_parameter_[Parameter(name)];
      known = std::max(known, cost);
    }
  }
  std::uint64_t Of(const std::string& name) const {
    if (const auto own = of_case_.find(name); own != of_case_.end()) return own->second;
    const auto other = of_parameter_.find(Parameter(name));
    return other == of_parameter_.end() ? kMostCost : other->second;
  }

 private:
  static std::string Parameter(const std::string& name) { return name.substr(name.rfind('/') + 1); }

  std::map<std::string, std::uint64_t> of_case_;
  std::map<std::string, std::uint64_t> of_parameter_;
};

// Returns the names of the cheap ones of the cases for which `is_wanted` is true, the cheapest
// first, and at least `fewest` if there are so many.
template <class IsWanted>
std::vector<std::string> CheapCases(const ChecksReport& report, const Costs& costs,
                                    std::size_t fewest, IsWanted is_wanted) {
  std::vector<std::pair<std::uint64_t, std::string>> by_cost;
  for (const CaseResult& result : report.cases) {
    if (is_wanted(result)) by_cost.emplace_back(costs.Of(result.name), result.name);
  }
  std::ranges::sort(by_cost);
  std::vector<std::string> names;
  for (auto& [cost, name] : by_cost) {
    if (cost <= kMostCost || names.size() < fewest) names.push_back(std::move(name));
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
  const Costs costs(report.launches);
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
