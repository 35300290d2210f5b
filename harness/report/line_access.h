// The accesses of a line that nvcc has made several instructions of, as one.
#pragma once

#include <cstddef>
#include <vector>

#include "run/access_sample.h"

namespace warpcheck {

struct LineAccess {
  run::AccessSample worst;       // its sums are those of all instructions
  std::size_t instructions = 0;  // of one kernel, line, memory and kind
};

// In the order of their first instruction.
std::vector<LineAccess> LineAccesses(const std::vector<run::AccessSample>& samples);

}  // namespace warpcheck
