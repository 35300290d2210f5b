// The part of a memory instruction that says where it accesses, and how.
#pragma once

#include "emulator/code/operands.h"
#include "emulator/code/program.h"

namespace warpcheck::emulator {

// Decodes the address [base + offset] at operand `index`: step.a is the slot of the base, step.data
// the offset, step.memory the entry of Program::memory that is added. `bytes`: a lane, all
// elements.
MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind);

// Of a fence or an access, by its suffixes; of the device where they name none.
MemoryScope ScopeOf(const ptx::Suffixes& suffixes);

}  // namespace warpcheck::emulator
