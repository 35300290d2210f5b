// Finds the conditions that guard an access, and those that test a thread's index in its block
// instead of its index in the grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns a hint for an access of `bytes` bytes to `array` whose index counts through the grid,
// while the guard that decides about it compares threadIdx with a size of the array. Returns an
// empty text for other accesses. The condition of a loop is no guard.
std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction,
                      const Allocation& array, std::uint32_t bytes);

// Returns the lines whose conditions decide whether an instruction is executed, and compare a value
// that is computed from the place of the thread; ascending. The condition of a loop is among them.
std::vector<int> GuardLines(const Launch& launch, const Program& program,
                            std::uint32_t instruction);

}  // namespace warpcheck::emulator
