// Lanes of a warp that go their own way, as since Volta they may ("Independent Thread Scheduling",
// CUDA C++ Programming Guide).
//
// Lanes that part at a branch share a stack of paths: those that are done wait where all meet. That
// is quick, and counts as hardware does, but where one lane waits for another of its warp (for a
// lock that the other one holds) nobody would ever move. So after a few turns in a loop that waits
// (control_flow.h) the warp is cut in two subwarps, the lanes that spin and all others, which then
// take turns. Lanes also part where they come to an instruction that names lanes on another path
// (reconvergence.h): those then run until they come to one too. Subwarps become one where they come
// to the same place; at a barrier, and at an instruction that names lanes of other subwarps, they
// wait for each other, and those that have met at one wait where the branches end. Nothing of this
// depends on time: it is the same in every run.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Gives every subwarp of the warp that is ready a turn. Warp::state says what became of all of
// them: kSpun where none did more than to wait in a loop, kAtBarrier where the warp has come to one
// with Warp::barrier_lanes.
void RunWarp(Warp& warp);

// Whether the path on top of `subwarp`, which is the one that runs or a parked one, has lanes of
// other subwarps to wait for: they parted above it at an instruction where some awaited the others.
bool WaitsAtJoin(const Warp& warp, const Subwarp& subwarp);

}  // namespace warpcheck::emulator
