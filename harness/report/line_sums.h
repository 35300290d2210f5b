// Counters by source line, over several launches.
#pragma once

#include <vector>

#include "device/launch_record.h"

namespace warpcheck {

// Adds to sums, which are sorted by place, as `more` need not be.
void AddLines(std::vector<LineCounters>& sums, const std::vector<LineCounters>& more);

}  // namespace warpcheck
