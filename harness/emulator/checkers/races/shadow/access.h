// One access of a warp, ready to be compared with the access history of what it touches.
#pragma once

#include <cstdint>

#include "emulator/checkers/races/shadow/access_id.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Says which earlier accesses may conflict with the one that is made now: all since `oldest`,
// except those of the same block (made since `begin`) that lie before `floor` or are of the same
// thread. This is a quick filter: what passes it may still turn out to be ordered.
struct RaceWindow {
  Epoch oldest = 0;  // earlier accesses count no more
  Epoch begin = 0;   // since then no other block has run
  Epoch floor = 0;   // the block's last barrier that all warps have met at
  Epoch now = 0;
  std::uint32_t block = 0;  // its number in the launch

  bool MayConflict(Epoch epoch, AccessId id, AccessId thread) const {
    if (epoch < oldest) return false;
    return epoch < begin || (epoch >= floor && ((id ^ thread) & kThreadMask) != 0);
  }
};

struct RaceAccess {
  MemoryKind memory = MemoryKind::kShared;
  LaneMask mask = 0;
  std::uint32_t bytes = 0;  // of each lane
  AccessShape shape = AccessShape::kScattered;
  bool reads = false;
  bool writes = false;
  AccessId id = 0;  // of lane 0; those of the other lanes follow
  RaceWindow window;
  const LaneAddresses* addresses = nullptr;
  // Null for a deferred read (read_log.h), which conflicts with nothing before it.
  const AccessEvent* event = nullptr;
};

}  // namespace warpcheck::emulator
