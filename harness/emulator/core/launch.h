// One kernel launch while it runs.
//
// The order of events. Blocks are started one after the other, in the order of their numbers or of
// the seed (block_scheduler.h), and a second one only beside one that waits for another block
// (block_scheduler.h). A block lets each of its warps run until it ends, waits at a barrier
// (barrier.cc), or goes round a loop that waits. A warp runs basic block after basic block of its
// program (run.h); lanes that part at a branch are entries of a stack, and meet where the branches
// do; where some wait for others of their warp, it is cut into subwarps (subwarps.h,
// reconvergence.h). An observer (observer.h) is told of accesses, branches, barriers, fences and
// copies, before their effects.
//
// What is kept: each basic block counts how often it ran and with how many lanes, each memory
// instruction the cost of its accesses (Launch::counts). launch.cc makes counters of source
// lines of them. A mistake becomes a finding of the launch's record (findings.h), one for each kind
// and instruction; what ends a kernel is an error, Launch::Stop, after which no step has effects.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "device/device.h"
#include "device/launch_rules.h"
#include "emulator/code/decoded_module.h"
#include "emulator/core/options.h"
#include "emulator/core/warp.h"
#include "emulator/memory/device_memory.h"
#include "hardware/generations.h"

namespace warpcheck::emulator {

class AddressOrigins;     // emulator/code/address_origins.h
class SpeculativeMemory;  // emulator/memory/speculative_memory.h

// What a launch keeps of what it found and counted, whatever a kernel does: findings of a kind,
// each at a place of its own, and source lines. What is beyond is counted all the same: in one
// finding more of that kind, and in the counters of the line that has no place.
inline constexpr std::size_t kMostOfAKind = 64;
inline constexpr std::size_t kMostLines = 1'000;

// Bytes of memory that are filled in the time of one warp instruction.
inline constexpr std::uint64_t kBytesAnInstruction = 512;

struct Launch {
  const Kernel* kernel = nullptr;
  const LaunchRequest* request = nullptr;
  const GpuGeneration* hardware = nullptr;
  const Isa* isa = nullptr;
  const Options* options = nullptr;
  DeviceMemory* memory = nullptr;
  DeviceLog* log = nullptr;
  const std::vector<Observer*>* observers = nullptr;  // null: nobody watches
  ValueTracker* tracker = nullptr;                    // of one of the observers, or null
  std::uint64_t* budget = nullptr;                    // warp instructions left
  // Where several threads run the launch (parallel_run.h) there is one Launch for each of them: its
  // memory, and what says that one thread has to do it. Null for a whole launch.
  SpeculativeMemory* part = nullptr;
  std::atomic<bool>* given_up = nullptr;
  std::uint64_t grid_id = 0;
  std::uint32_t shared_bytes = 0;     // a block, static and dynamic
  std::uint64_t shared_end = 0;       // of what accesses reached, where one was outside
  std::uint64_t resident_blocks = 1;  // that a GPU holds at once
  DeviceAddress grid_workspace = 0;   // of a cooperative launch: where its barrier is

  DeviceError error = DeviceError::kSuccess;
  bool stopped = false;
  LaunchRecord record;
  std::uint64_t executed = 0;  // warp instructions; also the clock
  std::size_t printed_bytes = 0;
  std::uint64_t local_bytes = 0;  // that its warps hold for local memory
  std::uint32_t patterns = 0;     // numbers given to them: MemorySite::pattern

  struct Counts {
    std::vector<MemorySite> sites;
    std::vector<BlockStats> blocks;
  };
  std::map<const Program*, Counts> counts;
  std::map<std::tuple<const Program*, std::uint32_t, FindingKind>, std::size_t> places;
  struct Kept {
    std::size_t findings = 0;            // of a kind
    std::optional<std::size_t> further;  // the finding that counts those beyond
  };
  std::map<FindingKind, Kept> kept;

  // Of the kernel's own code, made when a finding first asks: MeantArray (findings.h).
  std::shared_ptr<AddressOrigins> array_origins;

  // What several threads cannot do as one does is about to happen: true in a part of a launch,
  // which ends here, for one thread to run the launch.
  bool LeaveToOneThread() {
    if (part == nullptr) return false;
    *given_up = true;
    stopped = true;
    return true;
  }

  // Takes from the budget what is no instruction's cost.
  void Charge(std::uint64_t warp_instructions) { *budget -= std::min(*budget, warp_instructions); }

  // An access in a way that is in no counter of memory; the first one is named.
  void NoteUnseen(const char* way) {
    if (record.unseen.empty()) record.unseen = way;
  }

  // Ends the launch; the first error wins.
  void Stop(DeviceError why) {
    if (!stopped) error = why;
    stopped = true;
  }
};

// Makes room for what is counted.
void PrepareCounts(Launch& launch);

}  // namespace warpcheck::emulator
