// This is the loop that runs a warp.
#pragma once

#include <cstdint>

#include "emulator/core/warp.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// Runs the running subwarp. Isa::run points to this function; its comment says when it returns.
void Run(Warp& warp, std::uint64_t quantum);

}  // namespace warpcheck::emulator::WARPCHECK_ISA
