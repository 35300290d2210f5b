// RaceCopies keeps the asynchronous copies in flight: those that were started and not yet waited
// for. The emulator moves the bytes at once, but the program may rely on them only after the wait.
// Until then each side of a copy is an access that lasts. A thread that accesses what the copy
// writes, or writes what the copy reads, races with the copy.
//
// A copy by cp.async, or a copy from shared memory by cp.async.bulk, belongs to a group of the
// thread that started it, and that thread waits for the group. A copy to shared memory by
// cp.async.bulk, or a copy by cp.async before a cp.async.mbarrier.arrive, completes with a phase of
// an mbarrier. Threads that have waited for the phase may use its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/checkers/races/clock.h"
#include "emulator/checkers/races/shadow/cells.h"
#include "emulator/checkers/races/shadow/watched_memory.h"

namespace warpcheck::emulator {

// One side, the source or the destination, of the copies that lanes of a warp start with one
// instruction.
struct CopySide {
  // The phase of an mbarrier that completes the copies: the address of the mbarrier in shared
  // memory, and the number of the phase.
  struct Phase {
    std::uint64_t barrier = 0;
    std::uint32_t number = 0;
  };

  const Block* block = nullptr;
  std::uint32_t warp = 0;  // the number of the warp in the block
  AsyncCopy copy = AsyncCopy::kNone;
  MemoryKind kind = MemoryKind::kShared;
  WatchedMemory* memory = nullptr;
  bool writes = false;
  LaneMask lanes = 0;  // the lanes whose copies are in flight
  std::uint32_t bytes = 0;
  LaneAddresses addresses = {};
  AccessId id = 0;  // the access id of lane 0
  Epoch made = 0;   // the epoch at which the copies were started
  // The number of the group among the groups of a lane, for copies in groups.
  std::uint32_t group = 0;
  std::optional<Phase> phase;

  // Returns the lane whose copy touches one of these bytes.
  std::uint32_t LaneAt(std::uint64_t address, std::uint32_t bytes_there) const;
};

class RaceCopies {
 public:
  // The most sides of copies that are kept at a time. A tile of 48 KiB that is copied in bulk has
  // 6,144.
  static constexpr std::size_t kMost = 65'536;

  void Clear();
  // Returns true if there were more since Clear(). Further copies are not kept then.
  bool full() const { return full_; }
  void EndBlock(const Block& block);

  void Add(const AccessEvent& event, AccessId id, Epoch now, WatchedMemory& memory);
  // Returns a copy in flight that conflicts with an access to these bytes, or null.
  const CopySide* CopyAt(const WatchedMemory& memory, bool writes, std::uint64_t address,
                         std::uint32_t bytes) const;

  // Returns how many groups `lane` has committed, counted from the group of `side`; 0 if that group
  // is not committed.
  std::uint32_t GroupsSince(const CopySide& side, std::uint32_t lane) const;

  // Returns the copies that the event completes, each with the lanes whose copies are complete. The
  // events are a wait for groups, and a thread that sees the end of a phase.
  std::vector<CopySide> OnGroup(const CopyGroupEvent& event);
  std::vector<CopySide> OnMbarrier(const MbarrierEvent& event);

 private:
  using Id = std::uint32_t;  // the id of a side; 0 for no side
  struct OfWarp {
    std::vector<Id> sides;
    // The number of groups that each lane has committed, of cp.async and of cp.async.bulk.
    std::array<std::array<std::uint32_t, kLanes>, 2> closed = {};
  };
  struct OfMbarrier {
    std::uint32_t phase = 0;  // the number of the current phase
    std::vector<Id> sides;    // the sides that complete with its phases
  };
  struct OfBlock {
    std::array<OfWarp, kMostWarps> warps;
    std::map<std::uint64_t, OfMbarrier> mbarriers;
  };

  CopySide& At(Id id) { return sides_[id - 1]; }
  Id Insert(CopySide side);
  // Moves lanes out of a side into a new side.
  Id Split(Id id, LaneMask lanes);
  CopySide Complete(Id id, LaneMask lanes);
  void Attach(OfBlock& block, const MbarrierEvent& event);
  static void Mark(const CopySide& side, LaneMask lanes, Id id, bool in_flight);

  std::vector<CopySide> sides_;  // side i has the id i + 1; sides without lanes are free
  std::vector<Id> free_;
  bool full_ = false;
  std::map<const Block*, OfBlock> blocks_;
};

}  // namespace warpcheck::emulator
