// The barriers of a block (PTX ISA, "bar, barrier"). A warp arrives as a whole, as it does in
// hardware where its lanes are together; a warp of which only a part arrives is a finding.
#pragma once

#include "emulator/core/block.h"

namespace warpcheck::emulator {

// Takes note that the warp has come to a barrier, where it waits unless it only announces itself.
void Arrive(Block& block, Warp& warp);

// Lets the warps go on whose barriers everybody has reached. Returns false if there are none.
bool Release(Block& block);

// Ends the launch: warps wait, and no other will come.
void ReportDeadlock(Block& block);

}  // namespace warpcheck::emulator
