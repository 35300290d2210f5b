// Lets lanes of a warp run independently, as they may since Volta (CUDA C++ Programming Guide,
// "Independent Thread Scheduling").
//
// Lanes that part at a branch share a stack of paths: lanes that are done wait where all meet. That
// is fast, and counts as hardware does. But if one lane waits for another of its warp (for a lock
// that the other has), no lane would ever continue. So after a few turns in a loop that waits
// (decode/spin_loops.h) the warp is split into two subwarps, the lanes that spin and all others,
// which take turns. Lanes also part when they reach an instruction that names lanes on another path
// (reconvergence.h). The named lanes then run until they reach such an instruction too. Subwarps
// that come to the same place become one. At a barrier, and at an instruction that names lanes of
// other subwarps, they wait for each other, and after it they wait again where the branches end.
// This does not depend on time: it is the same in every run.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Gives a turn to every subwarp that is ready. The state of the running subwarp then applies to the
// warp: kSpun if all subwarps only waited in loops, kAtBarrier if the warp has reached a barrier
// with `barrier_lanes`.
void RunWarp(Warp& warp);

// Returns true if the top path of `subwarp` must wait for lanes of other subwarps. They parted at
// an instruction where some lanes waited for the others. `subwarp` is the running one or a parked
// one.
bool WaitsAtJoin(const Warp& warp, const Subwarp& subwarp);

}  // namespace warpcheck::emulator
