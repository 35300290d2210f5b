// Takes the cost of work that no warp instruction pays for, because a GPU does not have it: the
// emulator and its checkers do it for what they keep and compare.
#pragma once

#include <cstdint>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Takes a cost, in warp instructions, from Options::overhead. Once nothing is left, ends the launch
// as the end of its budget does. Without Options::overhead, and in a part of a launch, it costs
// nothing.
void SpendOverhead(Launch& launch, std::uint64_t warp_instructions);

}  // namespace warpcheck::emulator
