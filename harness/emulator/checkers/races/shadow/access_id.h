// An epoch says when an access was made, and an access id says who made it, each in 32 bits. An
// entry of an access history is a pair of them.
#pragma once

#include <cstdint>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// A point in the order of events. The clock (clock.h) only advances while a checker lives; 0 is
// before everything.
using Epoch = std::int32_t;

// An AccessId says which instruction of which thread made an access, and how strong the access was.
// From the low bits up, it consists of the thread in its block, the strength, and the number of the
// instruction.
using AccessId = std::uint32_t;
inline constexpr int kThreadBits = 10;
inline constexpr int kStrengthBits = 2;
inline constexpr AccessId kThreadMask = (AccessId{1} << kThreadBits) - 1;
inline constexpr AccessId kWarpMask = kThreadMask & ~AccessId{31};
inline constexpr AccessId kNotFolded = ~AccessId{0};  // no program has as many instructions as this

// The memory semantics of an access, as far as the race checker needs them. kCopy is the access of
// an asynchronous copy, which is as weak as a plain load or store.
enum class Strength : std::uint8_t { kWeak, kVolatile, kAtomic, kCopy };

inline bool IsWeak(Strength strength) {
  return strength == Strength::kWeak || strength == Strength::kCopy;
}
inline Strength StrengthOf(const MemoryInfo& info) {
  if (info.copy != AsyncCopy::kNone) return Strength::kCopy;
  return info.order == MemoryOrder::kWeak       ? Strength::kWeak
         : info.order == MemoryOrder::kVolatile ? Strength::kVolatile
                                                : Strength::kAtomic;
}

// `instruction` is a number that InstructionNumbers (report/instructions.h) gave.
inline AccessId MakeAccessId(std::uint32_t instruction, Strength strength, std::uint32_t thread) {
  return instruction << (kThreadBits + kStrengthBits) |
         static_cast<AccessId>(strength) << kThreadBits | thread;
}
inline Strength StrengthOf(AccessId id) {
  return static_cast<Strength>(id >> kThreadBits & ((AccessId{1} << kStrengthBits) - 1));
}
inline std::uint32_t InstructionIn(AccessId id) { return id >> (kThreadBits + kStrengthBits); }

}  // namespace warpcheck::emulator
