// Computes the counters of source lines from the counts of basic blocks and memory instructions.
#pragma once

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Adds the counters of every line, and their sums, to the record of a launch that has ended.
void FoldCounters(Launch& launch);

}  // namespace warpcheck::emulator
