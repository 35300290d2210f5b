// Whether a kernel guards an access by the thread's place in its block, where its place in the grid
// is meant.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Of a guard that asks threadIdx, where the index of the access counts through the grid.
std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction);

}  // namespace warpcheck::emulator
