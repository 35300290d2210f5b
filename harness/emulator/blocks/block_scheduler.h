// Runs the blocks of a launch in turns.
//
// One block runs to its end, then the next. If a block waits for something that another block
// writes (a grid's barrier, a lock, a flag), other blocks start beside it, and all take turns. So
// do blocks that draw their work: after a draw, a block gives way before it draws again, because on
// a GPU other blocks draw meanwhile. A draw is an atomic that gives a thread a value of global
// memory and changes this value. A block holds no lock there, unless it draws while it holds one.
// No more blocks run at once than a GPU could run, so that a kernel which needs more hangs here
// too.
#pragma once

#include <cstdint>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// A block may wait for this many rounds of its warps before another block gets the turn. Usually
// the warps of one block wait for each other.
inline constexpr std::uint32_t kPatience = 64;

// Runs the next `blocks` blocks of the launch, or stops early if the launch is stopped.
void RunInTurns(Launch& launch, std::uint64_t blocks);

}  // namespace warpcheck::emulator
