// Collects the traced accesses of source lines.
#pragma once

#include <cstddef>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

// The accesses of one line, kernel, memory and kind. nvcc may have made several instructions for
// them.
struct LineAccess {
  run::AccessSample worst;       // the worst one; its sums are the sums over all instructions
  std::size_t instructions = 0;  // the number of instructions
};

// Joins samples of one line, in the order of their first instruction.
std::vector<LineAccess> LineAccesses(const std::vector<run::AccessSample>& samples);

}  // namespace warpcheck
