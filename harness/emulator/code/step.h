// A Step is a pre-decoded instruction with the registers that it uses.
//
// A warp's registers lie in its frame. Each register is 32 consecutive values, one for each lane:
// 32 x u32 for a 32-bit register, 32 x u64 for a 64-bit one. A predicate is one 32-bit mask. A Slot
// is the byte offset of a register in the frame. Immediates and special registers have slots too,
// which are filled in beforehand, so that an instruction function reads only slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/lanes.h"

namespace warpcheck::emulator {

struct Warp;  // defined in emulator/core/warp.h
struct Step;

using Slot = std::uint32_t;  // in bytes from the start of the frame

// These values of Step::members are not slots.
inline constexpr Slot kNoMembers = ~Slot{0};  // each lane executes the instruction by itself
inline constexpr Slot kAllMembers =
    ~Slot{0} - 1;  // all lanes of the warp execute it together, without a mask

// Executes `step` for the lanes of `mask`, the active lanes whose guard holds. The mask is never
// empty.
using StepFunction = void (*)(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

struct alignas(64) Step {
  StepFunction function = nullptr;
  // The slot of a predicate, which is constantly true for instructions without a guard.
  Slot guard = 0;
  LaneMask guard_flip = 0;          // all ones for a guard like "@!p"
  Slot d = 0;                       // the destination
  Slot q = 0;                       // the second destination, such as the predicate of "%r|%p"
  Slot a = 0, b = 0, c = 0, e = 0;  // the sources, in the order of the instruction
  // A value for the instruction's own use: an index or an immediate.
  std::uint64_t data = 0;
  LaneMask flip = 0;        // all ones if the source predicate is negated
  std::uint32_t index = 0;  // the index of the instruction in its function
  // For memory instructions, the index of their MemoryInfo and MemorySite.
  std::uint32_t memory = 0;
  Slot members = kNoMembers;  // the slot of the masks, for instructions that lanes execute together
};
static_assert(sizeof(Step) == 64);

template <class T>
inline T* Lanes(std::byte* frame, Slot slot) {
  return reinterpret_cast<T*>(frame + slot);
}

inline LaneMask& Predicate(std::byte* frame, Slot slot) {
  return *reinterpret_cast<LaneMask*>(frame + slot);
}

}  // namespace warpcheck::emulator
