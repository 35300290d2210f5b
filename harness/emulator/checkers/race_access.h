// One access, ready to be compared with cells of shadow memory.
#pragma once

#include <cstdint>

#include "emulator/checkers/race_cells.h"
#include "emulator/checkers/shadow_memory.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// How strong an access is, as a Who has it. kCopy: as weak as a plain one, and an asynchronous
// copy's.
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

// Who accesses, from its parts and back; `place` is a number of RacePlaces.
inline Who MakeWho(std::uint32_t place, Strength strength, std::uint32_t thread) {
  return place << (kThreadBits + kStrengthBits) | static_cast<Who>(strength) << kThreadBits |
         thread;
}
inline Strength StrengthOf(Who who) {
  return static_cast<Strength>(who >> kThreadBits & ((Who{1} << kStrengthBits) - 1));
}
inline std::uint32_t PlaceOf(Who who) { return who >> (kThreadBits + kStrengthBits); }

struct RaceAccess {
  MemoryKind memory = MemoryKind::kShared;
  LaneMask mask = 0;
  std::uint32_t bytes = 0;  // a lane
  AccessShape shape = AccessShape::kScattered;
  bool reads = false;
  bool writes = false;
  Who who = 0;  // of lane 0
  RaceWindow window;
  const LaneAddresses* addresses = nullptr;
  // Null for a read that was put off (read_log.h): it conflicts with nothing.
  const AccessEvent* event = nullptr;
};

}  // namespace warpcheck::emulator
