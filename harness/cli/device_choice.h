// Which device grades, and what that takes.
#pragma once

#include <string>

#include "base/result.h"
#include "results/checks_order.h"

namespace warpcheck {

// A plan for the device that is `wanted`: "auto" takes a GPU whose counters can be read, else the
// emulator; "gpu" takes any. Fails where "gpu" has none.
Result<GradingPlan> PlanFor(const std::string& wanted);

}  // namespace warpcheck
