// Asynchronous copies that are under way: made, and not yet waited for. In the emulator their bytes
// are there at once; in the program they are there after the wait. Until then each side of a copy
// is an access that lasts: who touches what the copy writes, or writes what it reads, races with
// it.
//
// A copy by cp.async, or one from shared memory by cp.async.bulk, belongs to a group of the thread
// that made it, which that thread waits for. One to shared memory by cp.async.bulk, and one by
// cp.async for which cp.async.mbarrier.arrive was executed, is done when a phase of an mbarrier
// ends; those who have waited for that phase may use it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/checkers/race_cells.h"
#include "emulator/checkers/race_clock.h"
#include "emulator/checkers/race_memory.h"

namespace warpcheck::emulator {

// One side of copies by lanes of a warp.
struct CopySide {
  // Where an mbarrier is, and which of its phases, by number, says that the copies are done.
  struct Phase {
    std::uint64_t barrier = 0;
    std::uint32_t number = 0;
  };

  const Block* block = nullptr;
  std::uint32_t warp = 0;  // in its block
  AsyncCopy copy = AsyncCopy::kNone;
  MemoryKind kind = MemoryKind::kShared;
  WatchedMemory* memory = nullptr;
  bool writes = false;
  LaneMask lanes = 0;  // whose copies are under way
  std::uint32_t bytes = 0;
  LaneAddresses addresses = {};
  Who who = 0;              // of lane 0
  Stamp made = 0;           // when
  std::uint32_t group = 0;  // of copies that are in groups: its number among those of a lane
  std::optional<Phase> phase;

  // The lane whose copy is at one of these bytes.
  std::uint32_t LaneAt(std::uint64_t address, std::uint32_t bytes_there) const;
};

class RaceCopies {
 public:
  void Clear();
  void EndBlock(const Block& block);

  void Add(const AccessEvent& event, Who who, Stamp now, WatchedMemory& memory);
  // The copy that an access to these bytes touches too early; null where there is none.
  const CopySide* Touched(const WatchedMemory& memory, bool writes, std::uint64_t address,
                          std::uint32_t bytes) const;

  // How many groups `lane` has committed from the side's own on: 0 where that is still open.
  std::uint32_t GroupsSince(const CopySide& side, std::uint32_t lane) const;

  // What is over by the event, with the lanes whose copies are: after a wait, and after a phase
  // that somebody has seen to be over.
  std::vector<CopySide> OnGroup(const CopyGroupEvent& event);
  std::vector<CopySide> OnMbarrier(const MbarrierEvent& event);

 private:
  using Id = std::uint32_t;  // of a side; 0: none
  struct OfWarp {
    std::vector<Id> sides;
    // Groups that each lane has closed: of cp.async, and of cp.async.bulk.
    std::array<std::array<std::uint32_t, kLanes>, 2> closed = {};
  };
  struct OfMbarrier {
    std::uint32_t phase = 0;  // the current one
    std::vector<Id> sides;    // that its phases end
  };
  struct OfBlock {
    std::array<OfWarp, kMostWarps> warps;
    std::map<std::uint64_t, OfMbarrier> mbarriers;
  };

  CopySide& At(Id id) { return sides_[id - 1]; }
  Id Insert(CopySide side);
  // Lanes of a side as one of their own.
  Id Split(Id id, LaneMask lanes);
  CopySide End(Id id, LaneMask lanes);
  void Attach(OfBlock& block, const MbarrierEvent& event);
  static void Mark(const CopySide& side, LaneMask lanes, Id id, bool there);

  std::vector<CopySide> sides_;  // by id, from 1 on; those without lanes are free
  std::vector<Id> free_;
  std::map<const Block*, OfBlock> blocks_;
};

}  // namespace warpcheck::emulator
