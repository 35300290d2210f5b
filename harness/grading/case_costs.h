// The costs of cases tell which failed case is the cheapest to run once more.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "results/results.h"

namespace warpcheck {

// A case that costs more is run once more only where there are few others.
inline constexpr std::uint64_t kHighCaseCost = 2'000'000;

// The cost of a case is about how many warp instructions its launches execute.
class CaseCosts {
 public:
  explicit CaseCosts(const std::vector<CaseLaunch>& launches);

  // A case whose call another case has made has no launches of its own: its cost is that of the
  // case with the same parameter, which is the last part of its name, or kHighCaseCost if there is
  // none.
  std::uint64_t Of(const std::string& name) const;

 private:
  std::map<std::string, std::uint64_t> of_case_;
  std::map<std::string, std::uint64_t> of_parameter_;
};

}  // namespace warpcheck
