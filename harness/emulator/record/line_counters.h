// The counters of source lines, from what was counted for blocks of code and memory instructions.
#pragma once

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Puts the counters of every line, and their sums, into the record of a launch that has ended.
void FoldCounters(Launch& launch);

}  // namespace warpcheck::emulator
