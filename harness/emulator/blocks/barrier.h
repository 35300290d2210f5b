// Executes the barriers of a block (PTX ISA, "bar, barrier"). A warp arrives as a whole, as in
// hardware when its lanes are converged. If only some of its lanes arrive, that is a finding.
#pragma once

#include "emulator/core/block.h"

namespace warpcheck::emulator {

// Registers the warp at the barrier that it has reached. The warp waits there, unless it executes
// bar.arrive.
void Arrive(Block& block, Warp& warp);

// Releases the warps at each barrier that all expected threads have reached. Returns false if there
// is no such barrier.
bool Release(Block& block);

// Reports that warps wait at barriers which no other warp will reach, and ends the launch.
void ReportDeadlock(Block& block);

}  // namespace warpcheck::emulator
