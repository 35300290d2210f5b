// ParallelRun runs the blocks of a launch on several threads, if the result is the same as on one
// thread.
//
// The run is speculative. Each thread runs some of the blocks, in their order, in a part of the
// launch. A part has its own counts, checkers and budget, and its own view of global memory
// (speculative_memory.h). If no thread has accessed a byte that another wrote, each block has seen
// the same memory as in a run of all blocks in order, and the parts are merged. Otherwise the parts
// are dropped, and one thread runs the launch. The same happens if a checker finds something, if
// the kernel has an error, or if it uses something that depends on the order of blocks (atomics on
// global memory, printf, clocks, waiting).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/core/launch.h"
#include "emulator/memory/speculative_memory.h"
#include "emulator/parallel/thread_team.h"
#include "emulator/record/memory_uses.h"
#include "emulator/record/shared_fills.h"

namespace warpcheck::emulator {

class ParallelRun {
 public:
  // Uses as many threads as `options` say. The threads exist as long as the object.
  explicit ParallelRun(const Options& options);

  // Tries to run a launch, which must be checked and prepared (PrepareCounts). Returns false if the
  // launch has not run; then nothing has changed.
  bool Try(Launch& launch);
  // Forgets all kernels, because the caller may destroy them.
  void Forget() {
    mixing_.clear();
    failed_.clear();
  }

 private:
  // The state that a thread keeps from launch to launch, and its part of the current launch.
  struct Part {
    explicit Part(const Options& options);

    SpeculativeMemory memory;
    CheckersOfAThread checkers;
    MemoryUses uses;
    SharedFills shared_fills;
    std::uint64_t given = 0;   // the budget at the start, in warp instructions
    std::uint64_t budget = 0;  // the budget that is left
    std::optional<Launch> launch;
  };
  // Blocks that run next. The first free thread takes them.
  struct Queue {
    struct Batch {
      std::uint64_t begin = 0;
      std::uint64_t end = 0;  // equals `begin` if no blocks are left
    };
    // Returns the next blocks for a thread. They are neighbours, which usually write neighbouring
    // memory. Batches become smaller, so that no thread waits long for the last one.
    Batch Take();

    std::uint64_t blocks = 0;
    std::uint64_t threads = 1;
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> given_up = false;
  };

  enum class Outcome : std::uint8_t { kKept, kMixed, kDropped };

  bool Suits(const Launch& launch) const;
  Outcome Attempt(Launch& launch, bool by_byte);
  void Start(const Launch& launch, bool by_byte, Queue& queue);
  static void RunPart(Launch& part, Queue& queue);
  static void RunBlocks(Launch& part, Queue& queue);
  void PutTogether(Launch& launch);

  const Options options_;
  std::unique_ptr<ThreadTeam> team_;          // null until it is needed
  std::vector<std::unique_ptr<Part>> parts_;  // one for each thread
  std::set<const Kernel*> mixing_;            // kernels that read and write the same allocation
  std::set<const Kernel*> failed_;            // kernels for which an attempt has failed
};

// Runs a launch that has been checked, on several threads if possible, otherwise on one.
void RunLaunch(Launch& launch, ParallelRun& parallel);

}  // namespace warpcheck::emulator
