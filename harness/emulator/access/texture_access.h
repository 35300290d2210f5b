// Fetches through texture objects, and accesses through surface objects, of a warp: finds and
// checks the objects, tells observers what is read and written. None of it enters the counters of
// memory (docs/counters.md). They go to the device's memory itself, so that kernels with them run
// on one thread (parallel_run.h).
#pragma once

#include "emulator/code/step.h"

namespace warpcheck::emulator {

// step.a: the slot of the handles, step.data: the entry of Program::textures, step.memory: that of
// Program::memory. Lanes whose object is none, or another than the instruction needs, have a
// finding: they read poison (all bits set), or write nothing.
void FetchTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);
void AccessSurface(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);
// txq, suq: step.d gets what is asked for.
void QueryTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

}  // namespace warpcheck::emulator
