// Checks and updates cells of a page: the hot part of race_checker.cc.
#pragma once

#include <cstdint>

#include "emulator/checkers/shadow_memory.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Which earlier accesses may conflict with one now: those since `oldest`, but for those of the same
// block (since `begin`) that are before `floor`, or the same thread's. Some of them turn out to be
// ordered after all.
struct RaceWindow {
  Stamp oldest = 0;
  Stamp begin = 0;
  Stamp floor = 0;
  Stamp now = 0;
  std::uint32_t block = 0;  // its number in the launch

  bool Suspicious(Stamp stamp, Who who, Who thread) const {
    if (stamp < oldest) return false;
    return stamp < begin || (stamp >= floor && ((who ^ thread) & kThreadMask) != 0);
  }
};

// Neighbouring cells that the lanes of a warp access one after the other.
struct CellRow {
  std::uint32_t first = 0;  // cell of the page
  std::uint32_t count = 0;
  std::uint32_t skip = 0;   // cells of the access that lie in the page before
  std::uint32_t shift = 0;  // each lane has 1 << shift cells
  Who who = 0;              // of lane 0; the others follow
};

// A read. True if a cell was written by somebody else within the window.
bool ReadRow(ShadowPage& page, const CellRow& row, const RaceWindow& window);
// A write. True if a cell was written or read by somebody else within the window; such cells, and
// some beside them, are not noted as written.
bool WriteRow(ShadowPage& page, const CellRow& row, const RaceWindow& window);

// The same for one cell, whose group is unfolded.
inline bool WrittenByOther(ShadowPage& page, std::uint32_t cell, Who who,
                           const RaceWindow& window) {
  return window.Suspicious(page.written()[cell], page.writer()[cell], who);
}
inline bool ReadByOther(ShadowPage& page, std::uint32_t cell, Who who, const RaceWindow& window) {
  return window.Suspicious(page.read()[cell], page.reader()[cell], who) ||
         window.Suspicious(page.read_again()[cell], page.again()[cell], who);
}
// Of those who read, two are kept: of two blocks where there are as many, else of two warps.
// Whoever writes later is not one of them.
inline void NoteRead(ShadowPage& page, std::uint32_t cell, Who who, const RaceWindow& window) {
  page.GroupOf(cell).read = window.now;
  Stamp& read = page.read()[cell];
  Who& reader = page.reader()[cell];
  if (!window.Suspicious(read, reader, who)) {
    read = window.now;
    reader = who;
    return;
  }
  Stamp& read_again = page.read_again()[cell];
  Who& again = page.again()[cell];
  const bool apart =
      read < window.begin ? read_again >= window.begin : ((reader ^ again) & kWarpMask) != 0;
  if (apart && window.Suspicious(read_again, again, who)) return;
  read_again = window.now;
  again = who;
}
inline void NoteWrite(ShadowPage& page, std::uint32_t cell, Who who, const RaceWindow& window) {
  page.GroupOf(cell).written = window.now;
  page.written()[cell] = window.now;
  page.writer()[cell] = who;
}

// One access, ready to be compared with cells of shadow memory.

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
  // Null for a read that was put off (race_memory.h): it conflicts with nothing.
  const AccessEvent* event = nullptr;
};

}  // namespace warpcheck::emulator
