// An observer sees what warps do while a kernel runs; race checkers and traces are observers. An
// event describes a whole warp, and costs nothing without observers. Everything that an event
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

struct Launch;  // defined in emulator/core/launch.h
struct Block;   // defined in emulator/core/block.h
struct Warp;    // defined in emulator/core/warp.h

// The memory that an access uses, even if its instruction gives a generic address.
enum class MemoryKind : std::uint8_t { kGlobal, kConstant, kParameter, kShared, kLocal };

// Says how the lanes of an access lie relative to each other.
enum class AccessShape : std::uint8_t {
  kScattered,
  kContiguous,  // all 32 lanes take part, each right after the one before
  kUniform,     // all lanes of the mask have one address
};

using LaneAddresses = std::array<std::uint64_t, kLanes>;

// A range of memory, [begin, end).
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Returns the smallest range that covers the bytes of all lanes.
Extent ExtentOf(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes);

// An access of a warp to one range of memory, before data moves: memory still has its old bytes,
// and the registers of a store (MemoryInfo::values) have the new ones. The mask does not contain
// lanes that accessed nothing because their address was wrong. If a warp's lanes access several
// memories or allocations, there is an event for each of them.
struct AccessEvent {
  Warp& warp;
  const Step& step;
  // Says whether it is a load, store or atomic, the bytes of each lane, the registers, and the
  // ordering.
  const MemoryInfo& info;
  MemoryKind memory = MemoryKind::kGlobal;
  LaneMask mask = 0;
  AccessShape shape = AccessShape::kScattered;
  // Device addresses, or offsets in the block's shared memory, the thread's local memory or the
  // parameters. The addresses of lanes outside the mask are undefined.
  const LaneAddresses& addresses;
  Extent extent;  // the range of all lanes together, in units of `addresses`
  // If two accesses of a launch have the same number other than 0, they have the same mask, and
  // their lanes lie at the same distances from the lowest lane that takes part.
  std::uint32_t pattern = 0;
  // The memory around the access, in units of `addresses`: an allocation, the block's shared memory
  // or the parameters. `host` is the host's address of `begin`. It is null for local memory, whose
  // bytes are in warp.local.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::byte* host = nullptr;
};

// A barrier of the block will let its warps go on, each at its Subwarp::barrier; bar.red acts next.
struct BarrierEvent {
  Block& block;
  std::uint32_t barrier = 0;
  std::uint32_t waited = 0;   // the warps that continue now, one bit each
  std::uint32_t arrived = 0;  // the warps that arrived before and did not wait (bar.arrive)
};

// Lanes of a warp meet at bar.warp.sync, shfl, vote, match or redux. There is one event for each
// group of lanes with the same members.
struct WarpSyncEvent {
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;  // the lanes that meet
  // True only for bar.warp.sync (CUDA C++ Programming Guide, "Warp Shuffle Functions": "do not
  // imply a memory barrier").
  bool orders_memory = true;
};

// Lanes execute membar or fence.
struct FenceEvent {
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  MemoryScope scope = MemoryScope::kSystem;
};

// Lanes execute griddepcontrol.
struct GridControlEvent {
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  bool waits = false;  // for the kernel before; otherwise the next kernel may begin
};

// Lanes close a group of their asynchronous copies (commit_group), or wait for groups (wait_group).
struct CopyGroupEvent {
  enum class What : std::uint8_t {
    kCommit,
    kWait,
    kWaitForReads,  // the lanes wait only until the sources have been read
  };
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  What what = What::kCommit;
  bool bulk = false;            // true if cp.async.bulk makes the copies, false for cp.async
  std::uint32_t under_way = 0;  // for a wait: how many of the latest groups may be unfinished
};

// Lanes have done something at an mbarrier.
struct MbarrierEvent {
  enum class What : std::uint8_t {
    kArrive,
    kBytes,      // bytes of a transaction have arrived
    kCopies,     // the mbarrier waits for all copies that the lanes have started by cp.async
    kBulkCopy,   // the mbarrier waits for the copy that a lane has just started by cp.async.bulk
    kSawItsEnd,  // the lanes saw that the phase they waited for has ended
  };
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  What what = What::kArrive;
  std::uint64_t barrier = 0;       // the offset of the mbarrier in the block's shared memory
  std::uint32_t phases_ended = 0;  // how many phases this operation ended
};

// An instruction that is about to be executed has its first finding of a kind.
struct FindingEvent {
  Warp& warp;
  const Step& step;
  const Finding& finding;
  LaneMask lanes = 0;
};

// A value tracker follows values through registers, which events do not contain. The interpreter
// calls it if Warp::tracker is not null.
class ValueTracker {
 public:
  // Called after `lanes` have entered the top frame of the warp.
  virtual void Enter(Warp& warp, LaneMask lanes) = 0;
  // Called before `lanes` execute `step`, if the warp is tainted (taint.h). `lanes` are the lanes
  // of `mask` whose guard is true; there may be no such lanes.
  virtual void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) = 0;
  // Called in the same way if the step ends a block of code.
  virtual void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) = 0;
  // Called before the shuffle `step` stores its results, if `lanes` get values of lanes that do not
  // take part. These values are undefined (PTX ISA, "shfl.sync").
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
  // Several blocks may be running at this time, if they wait for each other. A Block object is used
  // again for later blocks.
  virtual void OnBlockBegin(Block&) {}
  virtual void OnBlockEnd(Block&) {}
  virtual void OnAccess(const AccessEvent&) {}
  virtual void OnBarrier(const BarrierEvent&) {}
  virtual void OnWarpSync(const WarpSyncEvent&) {}
  virtual void OnFence(const FenceEvent&) {}
  virtual void OnGridControl(const GridControlEvent&) {}
  virtual void OnCopyGroup(const CopyGroupEvent&) {}
  virtual void OnMbarrier(const MbarrierEvent&) {}
  virtual void OnFinding(const FindingEvent&) {}
};

// The observers are not owned. Warp::observers is null if there are no observers.
using Observers = std::vector<Observer*>;

// Always inlined, because it is compiled for several kinds of processors (CMakeLists.txt).
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

// Makes one event for each mbarrier in `at`, which has the host's address of each lane of `lanes`.
// `ended` are the lanes whose operation ended a phase. There may be no observers.
void TellMbarriers(Warp& warp, const Step& step, MbarrierEvent::What what, LaneMask lanes,
                   const std::byte* const* at, LaneMask ended);

}  // namespace warpcheck::emulator
