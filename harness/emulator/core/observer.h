// An observer sees what warps do while a kernel runs: race checkers and traces are observers. An
// event describes a whole warp, and costs nothing if nobody watches. Everything that an event
// refers to lives until the call returns. An observer that needs a source line looks it up
// (PlaceOf).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/finding.h"
#include "emulator/code/program.h"
#include "emulator/code/step.h"

namespace warpcheck::emulator {

struct Launch;  // emulator/core/launch.h
struct Block;   // emulator/core/block.h
struct Warp;    // emulator/core/warp.h

// The memory that an access goes to, even if its instruction gives a generic address.
enum class MemoryKind : std::uint8_t { kGlobal, kConstant, kParameter, kShared, kLocal };

// How the lanes of an access lie relative to each other.
enum class AccessShape : std::uint8_t {
  kScattered,
  kContiguous,  // all 32 lanes, each next to the one before
  kUniform,     // all lanes of the mask at one address
};

using LaneAddresses = std::array<std::uint64_t, kLanes>;

// A stretch of memory: [begin, end).
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Returns the smallest range that covers the bytes of all lanes.
Extent ExtentOf(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes);

// An access of a warp to one stretch of memory, before data moves: memory still has its old bytes,
// and the registers of a store (MemoryInfo::values) have the new ones. Lanes that accessed nothing,
// because their address was wrong, are not in the mask; a warp whose lanes go to several memories
// or allocations makes an event for each.
struct AccessEvent {
  Warp& warp;
  const Step& step;
  const MemoryInfo& info;  // load, store or atomic; bytes of each lane; registers; order
  MemoryKind memory = MemoryKind::kGlobal;
  LaneMask mask = 0;
  AccessShape shape = AccessShape::kScattered;
  // Device addresses, or offsets in the block's shared memory, the thread's local memory or the
  // parameters. Those of lanes outside the mask are undefined.
  const LaneAddresses& addresses;
  Extent extent;  // the range of all lanes together, in units of `addresses`
  // Accesses of a launch with the same number other than 0 have the same mask, and their lanes lie
  // at the same distances from the lowest lane that takes part.
  std::uint32_t pattern = 0;
  // The memory around the access, in units of `addresses`: an allocation, the block's shared memory
  // or the parameters; `host` is the host's address of `begin`. `host` is null for local memory,
  // whose bytes are in warp.local.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::byte* host = nullptr;
};

// A barrier of the block lets its warps go on. Each waited at its Subwarp::barrier.
struct BarrierEvent {
  Block& block;
  std::uint32_t barrier = 0;
  std::uint32_t waited = 0;   // warps that go on now, one bit each
  std::uint32_t arrived = 0;  // warps that announced themselves and went on before (bar.arrive)
};

// Lanes of a warp meet at bar.warp.sync, shfl, vote, match or redux. There is one event for each
// group of lanes with the same members.
struct WarpSyncEvent {
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;         // that meet
  bool orders_memory = true;  // only bar.warp.sync does (CUDA C++ Programming Guide, "Warp Shuffle
                              // Functions": "do not imply a memory barrier")
};

// Lanes execute membar or fence.
struct FenceEvent {
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  MemoryScope scope = MemoryScope::kSystem;
};

// Lanes close a group of their asynchronous copies (commit_group), or wait for groups (wait_group).
struct CopyGroupEvent {
  enum class What : std::uint8_t {
    kCommit,
    kWait,
    kWaitForReads,  // waits until the sources have been read
  };
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  What what = What::kCommit;
  bool bulk = false;            // the copies are made by cp.async.bulk, else by cp.async
  std::uint32_t under_way = 0;  // for a wait: how many of the latest groups may be unfinished
};

// Lanes have done something at an mbarrier.
struct MbarrierEvent {
  enum class What : std::uint8_t {
    kArrive,
    kBytes,      // bytes of a transaction have arrived
    kCopies,     // the mbarrier waits for all copies that the lanes have made by cp.async
    kBulkCopy,   // the mbarrier waits for the copy that a lane has just made by cp.async.bulk
    kSawItsEnd,  // the lanes saw that the phase they waited for has ended
  };
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  What what = What::kArrive;
  std::uint64_t barrier = 0;       // offset in the block's shared memory
  std::uint32_t phases_ended = 0;  // phases that this operation ended
};

// An instruction that is about to be executed has its first finding of a kind.
struct FindingEvent {
  Warp& warp;
  const Step& step;
  const Finding& finding;
  LaneMask lanes = 0;
};

// A value tracker follows values through registers, which events do not mention. The interpreter
// calls it if Warp::tracker is not null.
class ValueTracker {
 public:
  // Called after `lanes` have entered the top frame of the warp.
  virtual void Enter(Warp& warp, LaneMask lanes) = 0;
  // Called before `lanes` execute `step`, if the warp is tainted (taint.h). `lanes` are those of
  // `mask` whose guard holds; there may be none.
  virtual void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) = 0;
  // Called in the same way if the step ends a block of code.
  virtual void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) = 0;
  // Called before the shuffle `step` stores its results, if `lanes` get values of lanes that take
  // no part: these are undefined (PTX ISA, "shfl.sync").
  virtual void ShuffledFromNobody(Warp& warp, const Step& step, LaneMask lanes) = 0;

 protected:
  ~ValueTracker() = default;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Returns null if the observer needs only events. At most one observer of a launch has a tracker.
  virtual ValueTracker* tracker() { return nullptr; }
  virtual void OnLaunchBegin(Launch&) {}
  virtual void OnLaunchEnd(Launch&) {}  // findings may still be added to the record
  // Several blocks may be running, if they wait for each other. A Block is used again for later
  // blocks.
  virtual void OnBlockBegin(Block&) {}
  virtual void OnBlockEnd(Block&) {}
  virtual void OnAccess(const AccessEvent&) {}
  virtual void OnBarrier(const BarrierEvent&) {}
  virtual void OnWarpSync(const WarpSyncEvent&) {}
  virtual void OnFence(const FenceEvent&) {}
  virtual void OnCopyGroup(const CopyGroupEvent&) {}
  virtual void OnMbarrier(const MbarrierEvent&) {}
  virtual void OnFinding(const FindingEvent&) {}
};

// The observers are not owned. Warp::observers is null instead of empty.
using Observers = std::vector<Observer*>;

// Always inlined, because it is compiled for several processors (CMakeLists.txt).
[[gnu::always_inline]] inline void Tell(const Observers& observers, auto event, auto&& what) {
  for (Observer* observer : observers) (observer->*event)(what);
}

// Makes one event for each group of `lanes` that have the same mask in `members`, which has kLanes
// entries. There must be observers.
void TellWarpSync(Warp& warp, const Step& step, LaneMask lanes, const LaneMask* members,
                  bool orders_memory);

// Tells the observers, if there are any, of a commit or a wait. Step::data says how many groups may
// be unfinished.
void TellCopyGroup(Warp& warp, const Step& step, LaneMask lanes, CopyGroupEvent::What what,
                   bool bulk);

// Makes one event for each mbarrier in `at`, by the host's address for each lane of `lanes`.
// `ended` are the lanes whose operation ended a phase. There may be no observers.
void TellMbarriers(Warp& warp, const Step& step, MbarrierEvent::What what, LaneMask lanes,
                   const std::byte* const* at, LaneMask ended);

}  // namespace warpcheck::emulator
