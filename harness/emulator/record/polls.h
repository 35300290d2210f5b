// Finds the accesses by which a thread waits for another one.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/program.h"

namespace warpcheck::emulator {

// Returns true at the index of each instruction that polls: it stands in a loop that waits
// (decode/spin_loops.h), reads the same place in each round, and what it reads decides whether the
// loop ends. An atomic that changes a value in a loop of atomicCAS() waits for nobody: it tries its
// own change again.
std::vector<bool> PollsOf(const Program& program);

}  // namespace warpcheck::emulator
