// Finds guards that test a thread's index in its block instead of its index in the grid.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns a hint for an access whose index counts through the grid while its guard tests threadIdx.
// Returns an empty text for other accesses.
std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction);

}  // namespace warpcheck::emulator
