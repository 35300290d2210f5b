// Executes fetches through texture objects, and accesses through surface objects, of a warp. Finds
// and checks the objects, and tells observers what is read and written. All are counted as
// requests, and fetches also as loads (texture_sectors.h). All use device memory itself, so that
// kernels with them run on one thread (parallel_run.h).
#pragma once

#include "emulator/code/step.h"

namespace warpcheck::emulator {

// Both functions execute a step. step.a is the slot of the handles, step.data the index in
// Program::textures, and step.memory the index in Program::memory. Lanes without a usable object
// have a finding; they read poison (all bits set), or write nothing.
void FetchTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);
void AccessSurface(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);
// Executes txq and suq; step.d gets the result.
void QueryTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

}  // namespace warpcheck::emulator
