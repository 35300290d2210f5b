// A Launch is one kernel launch while it runs.
//
// The order of events. Blocks start one after the other, in the order of their numbers or of the
// seed (blocks/block_order.h). A second block starts only if the first one waits for another block
// (blocks/block_scheduler.h). A block runs each of its warps until the warp ends, waits at a
// barrier (blocks/barrier.h), or runs a loop that waits. A warp runs one basic block of its program
// after the other (warps/run.h). Lanes that part at a branch are entries of a stack, and meet again
// where the branches do (warps/paths.h). If some lanes wait for others of their warp, the warp is
// split into subwarps (warps/subwarps.h, warps/reconvergence.h). Observers (observer.h) see
// accesses, branches, barriers, fences and copies before these take effect.
//
// The results. Each basic block counts how often it ran and with how many lanes, and each memory
// instruction counts the cost of its accesses (Launch::counts); record/line_counters.h turns these
// into counters of source lines. A mistake becomes a finding in the launch's record
// (record/findings.h), one for each kind and instruction. An error ends the kernel (Launch::Stop);
// no step has an effect after that.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/launch_rules.h"
#include "emulator/core/block_shares.h"
#include "emulator/core/options.h"
#include "emulator/core/wait_cost.h"
#include "emulator/core/warp.h"
#include "emulator/decode/decoded_module.h"
#include "emulator/memory/device_memory.h"
#include "hardware/generations.h"

namespace warpcheck::ptx {
class AddressOrigins;  // ptx/analysis/address_origins.h
}

namespace warpcheck::emulator {

class MemoryUses;         // emulator/record/memory_uses.h
class SpeculativeMemory;  // emulator/memory/speculative_memory.h

// The largest number of findings of one kind, each at a place of its own, and of source lines that
// a launch keeps. What comes after that is still counted: in one further finding of that kind, and
// in the counters of the line without a place.
inline constexpr std::size_t kMostOfAKind = 64;
inline constexpr std::size_t kMostLines = 1'000;

// The number of bytes of memory that can be filled in the time of one warp instruction.
inline constexpr std::uint64_t kBytesAnInstruction = 512;

// A ChildLaunch is a launch by a thread of a kernel (dynamic parallelism). It begins after its
// parent has ended.
struct ChildLaunch {
  LaunchRequest request;
  bool at_tail = false;  // after all other children of the parent
  std::uint32_t depth = 0;
};

struct Launch {
  const Kernel* kernel = nullptr;
  const LaunchRequest* request = nullptr;
  const GpuGeneration* hardware = nullptr;
  const Isa* isa = nullptr;
  const Options* options = nullptr;
  DeviceMemory* memory = nullptr;
  DeviceLog* log = nullptr;
  const std::vector<Observer*>* observers = nullptr;  // null if there are no observers
  MemoryUses* uses = nullptr;  // one of the observers, if somebody asks for what the launch uses
  ValueTracker* tracker = nullptr;  // the tracker of one of the observers; may be null
  std::uint64_t* budget = nullptr;  // the number of warp instructions left
  // If several threads run the launch (parallel_run.h), each has a Launch of its own, with its view
  // of memory and a flag. The flag asks for one thread to run the whole launch. Both are null in a
  // whole launch.
  SpeculativeMemory* part = nullptr;
  std::atomic<bool>* given_up = nullptr;
  std::uint64_t grid_id = 0;
  std::uint32_t shared_bytes = 0;  // bytes of each block, static and dynamic
  std::uint64_t shared_end =
      0;  // the end of the farthest access beyond shared_bytes; 0 if there was no such access
  std::uint64_t resident_blocks = 1;  // the number of blocks that a GPU can run at once
  DeviceAddress grid_workspace = 0;   // the address of the grid's barrier in a cooperative launch

  DeviceError error = DeviceError::kSuccess;
  bool stopped = false;
  LaunchRecord record;
  std::uint64_t executed = 0;  // the number of executed warp instructions; this is also the clock
  std::size_t printed_bytes = 0;
  std::uint64_t local_bytes = 0;   // bytes that all warps use for local memory
  std::uint64_t moved = 0;         // bytes that lanes loaded, stored and updated in global memory
  BlockShares shares;              // of the blocks that have ended
  std::uint64_t shared_taken = 0;  // shared memory of these blocks (record/shared_fills.h)
  std::vector<MemorySite*> sites_of_shared;  // that remember where shared memory lies
  WaitCost waits;
  std::uint32_t patterns = 0;  // the last number that was given out as CachedAccess::pattern

  struct Counts {
    std::vector<MemorySite> sites;
    std::vector<BlockStats> blocks;
  };
  std::map<const Program*, Counts> counts;
  std::map<std::tuple<const Program*, std::uint32_t, FindingKind>, std::size_t> places;
  // The calls of malloc and new that gave memory, by program and instruction.
  std::map<std::pair<const Program*, std::uint32_t>, std::shared_ptr<const Maker>> makers;
  struct Kept {
    std::size_t findings = 0;            // the findings of the kind that are kept
    std::optional<std::size_t> further;  // the index of the finding that counts the others
  };
  std::map<FindingKind, Kept> kept;

  // The launches that threads have prepared, by the address of their parameters.
  std::map<DeviceAddress, LaunchRequest> prepared;
  // The memory of these parameters. It is freed when the launch has ended, so that no two threads
  // get the same address.
  std::vector<DeviceAddress> parameter_blocks;
  std::vector<ChildLaunch> children;  // in the order in which threads launched them
  std::uint32_t depth = 0;            // how many kernels launched one another before; host: 0
  std::uint64_t child_error = 0;      // the cudaError_t of the last one that failed, of any thread

  // The origins of addresses in the kernel's own code, made when MeantArray (array_text.h) first
  // asks.
  std::shared_ptr<ptx::AddressOrigins> array_origins;

  // Call this before something that several threads cannot do in the order of one thread. Returns
  // true in a part of a launch, and ends the part, so that one thread runs the launch.
  bool LeaveToOneThread() {
    if (part == nullptr) return false;
    *given_up = true;
    stopped = true;
    return true;
  }

  // Takes from the budget the cost of work that is not an instruction.
  void SpendBudget(std::uint64_t warp_instructions) {
    *budget -= std::min(*budget, warp_instructions);
  }

  // Notes that memory was accessed in a way that no counter sees ("a texture object"). The record
  // names the first such way.
  void NoteUnseen(const char* way) {
    if (record.unseen.empty()) record.unseen = way;
  }

  // Ends the launch. Keeps only the first error.
  void Stop(DeviceError why) {
    if (!stopped) error = why;
    stopped = true;
  }
};

// Allocates the counts of all programs of the kernel.
void PrepareCounts(Launch& launch);

}  // namespace warpcheck::emulator
