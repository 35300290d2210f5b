// Adds up counters by source line.
#pragma once

#include <vector>

#include "device/launch_record.h"

namespace warpcheck {

// Adds the counters of `more` to `sums`, which are sorted by place; `more` need not be sorted.
void AddLines(std::vector<LineCounters>& sums, const std::vector<LineCounters>& more);

}  // namespace warpcheck
