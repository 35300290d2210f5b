// Decodes the part of a memory instruction that says where it accesses, and how.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/code/memory_info.h"
#include "emulator/code/step.h"
#include "emulator/decode/operands.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// Decodes the address [base + offset] at operand `index`. Afterwards step.a is the slot of the
// base, step.data the offset, and step.memory the index of the returned entry of Program::memory.
// `bytes` are those of each lane, all elements together.
MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind);

// Returns the scope of a fence or an access, by its suffixes; the device if they name none.
MemoryScope ScopeOf(const ptx::Suffixes& suffixes);

}  // namespace warpcheck::emulator
