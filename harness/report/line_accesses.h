// The traced accesses of source lines.
#pragma once

#include <cstddef>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

// The accesses of one line, kernel, memory and kind, which nvcc may have made several instructions
// of.
struct LineAccess {
  run::AccessSample worst;       // the worst one; its sums are those of all instructions
  std::size_t instructions = 0;  // how many there are
};

// Joins samples of one line, in the order of their first instruction.
std::vector<LineAccess> LineAccesses(const std::vector<run::AccessSample>& samples);

}  // namespace warpcheck
