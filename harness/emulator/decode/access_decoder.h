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
// `bytes` is the number of bytes of each lane, with all its elements.
MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind);

// Returns the scope of a fence or an access, by its suffixes; returns the device scope if they name
// no scope.
MemoryScope ScopeOf(const ptx::Suffixes& suffixes);

}  // namespace warpcheck::emulator
