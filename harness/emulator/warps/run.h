// The loop that runs a warp.
#pragma once

#include <cstdint>

#include "emulator/core/warp.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// Isa::run.
void Run(Warp& warp, std::uint64_t quantum);

}  // namespace warpcheck::emulator::WARPCHECK_ISA
