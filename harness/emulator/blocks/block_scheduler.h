// The blocks of a launch that are under way.
//
// One block runs to its end, then the next: only where a block waits for what another one writes (a
// grid's barrier, a lock, a flag) do others start beside it, and all take turns. No more are under
// way than a GPU would hold, so a kernel that needs more of them hangs here as there.
#pragma once

#include <cstdint>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Rounds of its warps that a block may spend waiting before another gets the turn: most often warps
// of one block wait for each other.
inline constexpr std::uint32_t kPatience = 64;

// Runs as many blocks of the launch, in its order, or until it is stopped.
void RunInTurns(Launch& launch, std::uint64_t blocks);

}  // namespace warpcheck::emulator
