// Tells data that a flag stands for from the flag itself. Among volatile accesses both look alike:
// `volatile` makes a flag of a word, but it does not order the words that the flag stands for.
#pragma once

#include "emulator/checkers/races/report/code_place.h"

namespace warpcheck::emulator {

// True if `write` is data, a later strong access signals it without a fence in between, and the
// thread of `read` has looked at this signal before, as in the sum of partial sums by the last
// block (CUDA C++ Programming Guide, "Memory Fence Functions"). A read whose value is only compared
// with others counts as one of a flag.
bool IsSignalledData(const CodePlace& write, const CodePlace& read);

}  // namespace warpcheck::emulator
