// One memory access of a warp: addresses, checks, counting, and what is remembered of it.
#pragma once

#include "emulator/operands.h"
#include "emulator/warp.h"

namespace warpcheck::emulator {

// Decodes the address [base + offset] at operand `index`: step.a is the slot of the base, step.data
// the offset, step.memory the entry of Program::memory that is added. `bytes`: a lane, all
// elements.
MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind);

// Of a fence or an access, by its suffixes; of the device where they name none.
MemoryScope ScopeOf(const ptx::Suffixes& suffixes);

// Checks, counts and observes the access of the lanes of `mask`; at[lane] is the host address of
// each lane that may go on, and the result names those. The others have a finding: what they read
// is poison (all bits set), what they write is dropped. Remembers the pattern in the step's
// MemorySite where it can be repeated.
LaneMask Resolve(std::byte* frame, const Step& step, LaneMask mask, Warp& warp,
                 std::byte* (&at)[kLanes]);

// The address of `lane`, before any check.
inline std::uint64_t AddressOf(const std::byte* frame, const Step& step,
                               std::uint32_t address_bytes, int lane) {
  if (address_bytes == 8) {
    return reinterpret_cast<const std::uint64_t*>(frame + step.a)[lane] + step.data;
  }
  return std::uint32_t(reinterpret_cast<const std::uint32_t*>(frame + step.a)[lane] + step.data);
}

}  // namespace warpcheck::emulator
