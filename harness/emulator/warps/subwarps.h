// Lets lanes of a warp go their own way, as they may since Volta (CUDA C++ Programming Guide,
// "Independent Thread Scheduling").
//
// Lanes that part at a branch share a stack of paths: those that are done wait where all meet. That
// is quick, and counts as hardware does. But if one lane waits for another of its warp (for a lock
// that the other holds), nobody would ever move. So after a few turns in a loop that waits
// (decode/spin_loops.h) the warp is split into two subwarps, the lanes that spin and all others,
// which take turns. Lanes also part when they come to an instruction that names lanes on another
// path (reconvergence.h), which then run until they come to one too. Subwarps that come to the same
// place become one. At a barrier, and at an instruction that names lanes of other subwarps, they
// wait for each other, and after it they wait again where the branches end. None of this depends on
// time: it is the same in every run.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Gives a turn to every subwarp that is ready. The state of the running subwarp then stands for the
// warp: kSpun if all subwarps only waited in loops, kAtBarrier if the warp has come to a barrier
// with `barrier_lanes`.
void RunWarp(Warp& warp);

// Returns true if the top path of `subwarp` must wait for lanes of other subwarps, from which it
// parted at an instruction where some awaited the others. `subwarp` is the running one or a parked
// one.
bool WaitsAtJoin(const Warp& warp, const Subwarp& subwarp);

}  // namespace warpcheck::emulator
