#include "grading/case_costs.h"

#include <algorithm>

namespace warpcheck {
namespace {

// Returns about how many warp instructions a launch executes that runs to its end. Launches that a
// mistake has ended have executed few of them.
std::uint64_t CostOf(const LaunchRecord& launch) {
  constexpr std::uint64_t kOfAWarp = 64;
  return launch.counters.OrZero(Counter::kWarpInstructions) + kOfAWarp * WarpsOf(launch);
}

std::string ParameterOf(const std::string& name) { return name.substr(name.rfind('/') + 1); }

}  // namespace

CaseCosts::CaseCosts(const std::vector<CaseLaunch>& launches) {
  for (const CaseLaunch& launch : launches) of_case_[launch.case_name] += CostOf(launch.record);
  for (const auto& [name, cost] : of_case_) {
    std::uint64_t& known = of_parameter_[ParameterOf(name)];
    known = std::max(known, cost);
  }
}

std::uint64_t CaseCosts::Of(const std::string& name) const {
  if (const auto own = of_case_.find(name); own != of_case_.end()) return own->second;
  const auto other = of_parameter_.find(ParameterOf(name));
  return other == of_parameter_.end() ? kHighCaseCost : other->second;
}

}  // namespace warpcheck
