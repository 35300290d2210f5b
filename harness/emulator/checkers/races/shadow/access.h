// RaceAccess is one access of a warp, ready to be compared with the access history of the memory
// that it touches.
#pragma once

#include <cstdint>

#include "emulator/checkers/races/shadow/access_id.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Says which earlier accesses may conflict with the access that is made now: all since `oldest`,
// except accesses of the same block (made since `begin`) that were made before `floor` or by the
// same thread. This is a fast filter: an access that passes it may still turn out to be ordered.
struct RaceWindow {
  Epoch oldest = 0;  // accesses before this epoch do not count any more
  Epoch begin = 0;   // no other block has run since this epoch
  Epoch floor = 0;   // the epoch of the block's last barrier that all warps have reached
  Epoch now = 0;
  std::uint32_t block = 0;  // the number of the block in the launch

  bool MayConflict(Epoch epoch, AccessId id, AccessId thread) const {
    if (epoch < oldest) return false;
    return epoch < begin || (epoch >= floor && ((id ^ thread) & kThreadMask) != 0);
  }
};

struct RaceAccess {
  MemoryKind memory = MemoryKind::kShared;
  LaneMask mask = 0;
  std::uint32_t bytes = 0;  // bytes of each lane
  AccessShape shape = AccessShape::kScattered;
  bool reads = false;
  bool writes = false;
  AccessId id = 0;  // the id of lane 0; the ids of the other lanes follow
  RaceWindow window;
  const LaneAddresses* addresses = nullptr;
  // Null for a deferred read (read_log.h), which conflicts with no earlier access.
  const AccessEvent* event = nullptr;
};

}  // namespace warpcheck::emulator
