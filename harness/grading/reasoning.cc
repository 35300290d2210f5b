#include "grading/reasoning.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grading/case_costs.h"

namespace warpcheck {
namespace {

// A case that costs much may be too long to follow. Then the next ones are tried.
constexpr std::size_t kMostCases = 3;

bool IsOfWrongElements(const Complaint& complaint) {
  return complaint.kind == ComplaintKind::kWrongElements ||
         complaint.kind == ComplaintKind::kKeptElements;
}

Complaint* WrongElementsOf(CaseResult& result) {
  const auto found = std::ranges::find_if(result.complaints, IsOfWrongElements);
  return found == result.complaints.end() ? nullptr : &*found;
}

// Returns the names of cases with wrong elements, the one whose launches cost least first.
std::vector<std::string> CheapestWrongCases(ChecksReport& report) {
  const CaseCosts costs(report.launches);
  std::vector<std::pair<std::uint64_t, std::string>> cases;
  for (CaseResult& result : report.cases) {
    if (WrongElementsOf(result) != nullptr) cases.emplace_back(costs.Of(result.name), result.name);
  }
  std::ranges::sort(cases);
  std::vector<std::string> names;
  for (auto& [cost, name] : cases) names.push_back(std::move(name));
  names.resize(std::min(names.size(), kMostCases));
  return names;
}

}  // namespace

void AddReason(const ChecksCommand& command, ChecksProgram& checks, ChecksReport& report) {
  ChecksCommand again = command;
  again.order.cases = CheapestWrongCases(report);
  if (again.order.cases.empty()) return;
  again.order.reason = true;
  again.order.dump.clear();
  const Result<ChecksRun> run = checks.Run(again, {});
  if (!run || !run->finished || !run->report.reason) return;
  const CaseReason& known = *run->report.reason;
  const auto found = std::ranges::find(report.cases, known.case_name, &CaseResult::name);
  if (found == report.cases.end()) return;
  Complaint* const complaint = WrongElementsOf(*found);
  if (complaint == nullptr) return;
  complaint->reason = known.reason;
  complaint->message += "\n" + Text(known.reason);
}

}  // namespace warpcheck
