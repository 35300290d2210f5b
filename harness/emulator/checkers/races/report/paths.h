// Finds out whether a thread can come from one instruction to another without a barrier.
#pragma once

#include <cstdint>

#include "emulator/code/program.h"

namespace warpcheck::emulator {

// Returns true if control can go from behind instruction `from` to instruction `to` without an
// instruction for which `stops` is true. Both may be the same, which needs a loop.
bool HasPath(const Program& program, std::uint32_t from, std::uint32_t to,
             bool (*stops)(const ptx::Instruction&));

}  // namespace warpcheck::emulator
