// Names what limited a launch, by how busy its GPU was (docs/limiter.md).
#pragma once

#include <optional>

#include "device/launch_record.h"
#include "hardware/limiter_text.h"

namespace warpcheck {

// Returns the busiest unit if it is busy enough to limit the launch, and otherwise what kept all
// units waiting. Returns nothing if the GPU did not measure the use of its units.
std::optional<Limiter> LimiterOf(const LaunchRecord& record);

// Returns "Limiter (measured): memory bandwidth, 91 % of its peak; ..." and what to do next. Both
// are empty if LimiterOf() returns nothing.
LimiterText TextOf(const LaunchRecord& record);

}  // namespace warpcheck
