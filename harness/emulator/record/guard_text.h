// Finds guards that test a thread's index in its block instead of its index in the grid.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns a hint for an access of `bytes` bytes to `array` whose index counts through the grid,
// while the guard that decides about it compares threadIdx with a size of the array. Returns an
// empty text for other accesses. The condition of a loop is no guard.
std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction,
                      const Allocation& array, std::uint32_t bytes);

}  // namespace warpcheck::emulator
