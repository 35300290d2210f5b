// Launches as one: their counters and findings added up.
#pragma once

#include <cstdint>
#include <vector>

#include "device/launch_record.h"

namespace warpcheck {

// The same kernel, grid, block and shared memory.
bool SameShape(const LaunchRecord& a, const LaunchRecord& b);

// Adds what `more` counted and found, for `times` launches like it, to `sum`, whose kernel and
// shape stay. The error is that of the first launch that had one; what is not measured on either
// side is not measured in the sum.
void AddLaunch(LaunchRecord& sum, const LaunchRecord& more, std::uint64_t times = 1);

}  // namespace warpcheck
