// A pre-decoded instruction and the registers that it works on.
//
// A warp's registers lie in its frame, each as 32 consecutive values, one for each lane: 32 x u32
// for a 32-bit register, 32 x u64 for a 64-bit one. A predicate is one 32-bit mask. A Slot is the
// byte offset of a register in the frame. Immediates and special registers have slots too, which
// are filled in beforehand, so that an instruction function reads only slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/lanes.h"

namespace warpcheck::emulator {

struct Warp;  // emulator/core/warp.h
struct Step;

using Slot = std::uint32_t;  // bytes from the start of the frame

// Values of Step::members that are not slots.
inline constexpr Slot kNoMembers = ~Slot{0};  // each lane executes the instruction for itself
inline constexpr Slot kAllMembers =
    ~Slot{0} - 1;  // all lanes of the warp execute it together, without a mask

// Executes `step` for the lanes of `mask`, the active lanes whose guard holds. The mask is never
// empty.
using StepFunction = void (*)(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

struct alignas(64) Step {
  StepFunction function = nullptr;
  Slot guard = 0;  // a predicate, which is constantly true for instructions without a guard
  LaneMask guard_flip = 0;          // all ones for "@!p"
  Slot d = 0;                       // destination
  Slot q = 0;                       // second destination, such as the predicate of "%r|%p"
  Slot a = 0, b = 0, c = 0, e = 0;  // sources, in the order of the instruction
  std::uint64_t data = 0;           // for the instruction's own use: an index, an immediate
  LaneMask flip = 0;                // all ones if the source predicate is negated
  std::uint32_t index = 0;          // index of the instruction in its function
  std::uint32_t memory = 0;   // for memory instructions, the index of MemoryInfo and MemorySite
  Slot members = kNoMembers;  // the masks, for instructions that lanes execute together
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
