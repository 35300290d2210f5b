// Lanes of a warp that go their own way, as since Volta they may ("Independent Thread Scheduling",
// CUDA C++ Programming Guide).
//
// Lanes that part at a branch share a stack of paths: those that are done wait where all meet. That
// is quick, and counts as hardware does, but where one lane waits for another of its warp (for a
// lock that the other one holds) nobody would ever move. So after a few turns in a loop that waits
// (spin_loops.h) the warp is cut in two strands, the lanes that spin and all others, which then
// take turns. Strands become one where they come to the same place; at a barrier, and at an
// instruction that names lanes of other strands (shfl.sync, bar.warp.sync, ...), they wait for each
// other. Nothing of this depends on time: it is the same in every run.
#pragma once

#include "emulator/warp.h"

namespace warpcheck::emulator {

// Gives every strand of the warp that is ready a turn. Warp::state says what became of all of them:
// kSpun where none did more than to wait in a loop, kAtBarrier where the warp has come to one with
// Warp::barrier_lanes.
void RunWarp(Warp& warp);

// Whether `step`, which `lanes` are about to execute together, names lanes of other strands.
bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes);

}  // namespace warpcheck::emulator
