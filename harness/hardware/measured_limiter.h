// Names what limited a launch, by how busy its GPU was (docs/limiter.md).
#pragma once

#include <optional>

#include "device/counters.h"
#include "device/launch_record.h"
#include "hardware/limiter_text.h"

namespace warpcheck {

// Returns the busiest unit if it is busy enough to limit the launch, and otherwise what kept all
// units waiting. Returns nothing if the GPU told too little. `timing` is that of the launch, if it
// was timed.
std::optional<Limiter> LimiterOf(const LaunchUse& use, const std::optional<LaunchTiming>& timing);

// Returns "Limiter (measured): memory bandwidth, 91 % of its peak; ..." and what to do next. Both
// are empty if LimiterOf() returns nothing. `counters` are those of the launch.
LimiterText TextOf(const LaunchUse& use, const std::optional<LaunchTiming>& timing,
                   const CounterSet& counters);

}  // namespace warpcheck
