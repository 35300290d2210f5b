// Counters by source line, over several launches.
#pragma once

#include <cstddef>
#include <vector>

#include "device/launch_record.h"
#include "run/access_sample.h"

namespace warpcheck {

// Adds to sums, which are sorted by place, as `more` need not be.
void AddLines(std::vector<LineCounters>& sums, const std::vector<LineCounters>& more);

// The accesses of a line that nvcc has made several instructions of, as one.

struct LineAccess {
  run::AccessSample worst;       // its sums are those of all instructions
  std::size_t instructions = 0;  // of one kernel, line, memory and kind
};

// In the order of their first instruction.
std::vector<LineAccess> LineAccesses(const std::vector<run::AccessSample>& samples);

}  // namespace warpcheck
