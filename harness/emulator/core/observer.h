// Sees what warps do while a kernel runs: race checkers, traces and others are observers. Events
// are a warp's, complete, and cost nothing when nobody watches. Everything that an event names
// lives until the call returns; a source line is looked up (PlaceOf) only by who needs it.
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

// Where an access goes, also when its instruction gives a generic address.
enum class MemoryKind : std::uint8_t { kGlobal, kConstant, kParameter, kShared, kLocal };

// How the lanes of an access lie to each other.
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

// That holds all bytes of lanes at those addresses.
Extent ExtentOf(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes);

// An access of a warp to one stretch of memory, before data moves: memory still has its old bytes,
// and the registers of a store (MemoryInfo::values) have the new ones. Lanes that accessed nothing,
// because their address was wrong, are not in the mask; a warp whose lanes go to several memories
// or allocations makes an event for each.
struct AccessEvent {
  Warp& warp;
  const Step& step;
  const MemoryInfo& info;  // load, store or atomic; bytes a lane; registers; order
  MemoryKind memory = MemoryKind::kGlobal;
  LaneMask mask = 0;
  AccessShape shape = AccessShape::kScattered;
  // Of the lanes of the mask: device addresses, or offsets in the block's shared memory, the
  // thread's local memory or the parameters. Other lanes have no meaningful ones.
  const LaneAddresses& addresses;
  Extent extent;  // of all lanes together, as addresses have it
  // In one launch, accesses with the same number, unless it is 0, have the same mask, and their
  // lanes lie at the same distances from the lowest lane that takes part.
  std::uint32_t pattern = 0;
  // The stretch, as addresses have it, and the host's bytes behind `begin`: an allocation, the
  // block's shared memory, the parameters. Of local memory null: its bytes are in warp.local.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const std::byte* host = nullptr;
};

// A branch at which lanes part.
struct BranchEvent {
  Warp& warp;
  const Step& step;
  LaneMask active = 0;
  LaneMask taken = 0;
};

// A barrier of the block lets its warps go on. Warp::barrier is where each of them waited.
struct BarrierEvent {
  Block& block;
  std::uint32_t barrier = 0;
  std::uint32_t waited = 0;   // warps that go on now, a bit each
  std::uint32_t arrived = 0;  // warps that announced themselves and went on before (bar.arrive)
};

// Lanes of a warp meet: bar.warp.sync, or shfl, vote, match, redux. One event for each group of
// lanes with the same members.
struct WarpSyncEvent {
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;         // that meet
  bool orders_memory = true;  // only bar.warp.sync does (CUDA C++ Programming Guide, "Warp Shuffle
                              // Functions": "do not imply a memory barrier")
};

// membar, fence.
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
    kWaitForReads,  // until the sources have been read
  };
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  What what = What::kCommit;
  bool bulk = false;            // copies by cp.async.bulk, else by cp.async
  std::uint32_t under_way = 0;  // of a wait: how many of the latest groups need not be done
};

// What lanes have done at an mbarrier.
struct MbarrierEvent {
  enum class What : std::uint8_t {
    kArrive,
    kBytes,      // have come
    kCopies,     // it tells when the copies that the lanes made by cp.async so far are done
    kBulkCopy,   // or the one that a lane has just made by cp.async.bulk
    kSawItsEnd,  // of the phase that the lanes waited for
  };
  Warp& warp;
  const Step& step;
  LaneMask lanes = 0;
  What what = What::kArrive;
  std::uint64_t barrier = 0;       // offset in the block's shared memory
  std::uint32_t phases_ended = 0;  // by it
};

// The first finding of its kind at an instruction, which is about to be carried out.
struct FindingEvent {
  Warp& warp;
  const Step& step;
  const Finding& finding;
  LaneMask lanes = 0;
};

// Follows values through the registers, of which events tell nothing. Called by the interpreter
// itself, where Warp::tracker is not null.
class ValueTracker {
 public:
  // The top frame of the warp has been entered by `lanes`.
  virtual void Enter(Warp& warp, LaneMask lanes) = 0;
  // Of a warp that is tainted (flow.h): `step` is about to be executed by `lanes`, which are those
  // of `mask` whose guard holds, or none.
  virtual void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) = 0;
  // The same, where the step ends a block of code.
  virtual void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) = 0;
  // The shuffle `step`, which stores its results now, gives `lanes` the values of lanes that take
  // no part: they hold nothing (PTX ISA, "shfl.sync").
  virtual void ShuffledFromNobody(Warp& warp, const Step& step, LaneMask lanes) = 0;

 protected:
  ~ValueTracker() = default;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Null for those to whom events are enough. At most one of a launch's observers has another.
  virtual ValueTracker* tracker() { return nullptr; }
  virtual void OnLaunchBegin(Launch&) {}
  virtual void OnLaunchEnd(Launch&) {}  // the record can still take findings
  // Blocks that wait for each other are under way at once; a Block is used again for later ones.
  virtual void OnBlockBegin(Block&) {}
  virtual void OnBlockEnd(Block&) {}
  virtual void OnAccess(const AccessEvent&) {}
  virtual void OnBranch(const BranchEvent&) {}
  virtual void OnBarrier(const BarrierEvent&) {}
  virtual void OnWarpSync(const WarpSyncEvent&) {}
  virtual void OnFence(const FenceEvent&) {}
  virtual void OnCopyGroup(const CopyGroupEvent&) {}
  virtual void OnMbarrier(const MbarrierEvent&) {}
  virtual void OnFinding(const FindingEvent&) {}
};

// Not owned. An emulator without any has null instead: see Warp::observers.
using Observers = std::vector<Observer*>;

// How events are told. Who calls these has seen that there are any observers: Warp::observers,
// Launch::observers.

// Inlined always: it is compiled for several processors (CMakeLists.txt).
[[gnu::always_inline]] inline void Tell(const Observers& observers, auto event, auto&& what) {
  for (Observer* observer : observers) (observer->*event)(what);
}

// Tells the observers, if there are any, of a branch at which `active` lanes part.
void TellBranch(Warp& warp, const Step& step, LaneMask active, LaneMask taken);

// One event for each group of `lanes` whose entries of `members` (32, a mask each) are the same.
void TellWarpSync(Warp& warp, const Step& step, LaneMask lanes, const LaneMask* members,
                  bool orders_memory);

// Step::data: how many groups may still be under way. Nobody may watch.
void TellCopyGroup(Warp& warp, const Step& step, LaneMask lanes, CopyGroupEvent::What what,
                   bool bulk);

// One event for each mbarrier among `at`, where those of `lanes` are; `ended`: lanes at which a
// phase has ended. Nobody may watch.
void TellMbarriers(Warp& warp, const Step& step, MbarrierEvent::What what, LaneMask lanes,
                   const std::byte* const* at, LaneMask ended);

}  // namespace warpcheck::emulator
