// Runs the blocks of a launch on several threads, where that gives what one thread would.
//
// It is an attempt. Each thread runs some of the blocks, in their order, in a part of the launch:
// with counts, checkers and a budget of its own, and with its own view of global memory
// (speculative_memory.h). In the end, if no thread has touched a byte that another wrote, each
// block has seen what it would have seen after those before it, and the parts are put together.
// Where threads met, where a checker found something, where a kernel uses what goes by the order of
// blocks (atomics on global memory, printf, clocks, waiting) or has an error, nothing has changed,
// and one thread runs the launch.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/core/launch.h"
#include "emulator/core/speculative_memory.h"
#include "emulator/parallel/thread_team.h"

namespace warpcheck::emulator {

class ParallelRun {
 public:
  // Uses as many threads as `options` say, which live as long as this does.
  explicit ParallelRun(const Options& options);

  // Runs a launch that has been checked and is prepared (PrepareCounts). True: it is done. False:
  // nothing has changed.
  bool Try(Launch& launch);
  // Kernels that were launched before may be gone.
  void Forget() {
    mixing_.clear();
    tried_in_vain_.clear();
  }

 private:
  // What a thread keeps from launch to launch, and its part of the one that runs.
  struct Part {
    explicit Part(const Options& options);

    SpeculativeMemory memory;
    CheckersOfAThread checkers;
    std::uint64_t given = 0;   // warp instructions
    std::uint64_t budget = 0;  // what is left of them
    std::optional<Launch> launch;
  };
  // Which blocks are next, for whichever thread comes first.
  struct Queue {
    struct Batch {
      std::uint64_t begin = 0;
      std::uint64_t end = 0;  // none are left: begin
    };
    // The next blocks for a thread: many at first, which lie side by side and so does what they
    // write, and fewer and fewer, so that none waits long for the last.
    Batch Take();

    std::uint64_t blocks = 0;
    std::uint64_t threads = 1;
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> given_up = false;
  };

  enum class Outcome : std::uint8_t { kKept, kMixed, kInVain };

  bool Suits(const Launch& launch) const;
  Outcome Attempt(Launch& launch, bool by_byte);
  void Start(const Launch& launch, bool by_byte, Queue& queue);
  static void RunPart(Launch& part, Queue& queue);
  static void RunBlocks(Launch& part, Queue& queue);
  std::vector<const SpeculativeMemory*> Memories() const;
  void PutTogether(Launch& launch);

  const Options options_;
  std::unique_ptr<ThreadTeam> team_;          // null until there is something to do
  std::vector<std::unique_ptr<Part>> parts_;  // one a thread
  std::set<const Kernel*> mixing_;            // read and write the same allocation
  std::set<const Kernel*> tried_in_vain_;
};

// Runs a launch that has been checked: on several threads where that is possible, else on one.
void RunLaunch(Launch& launch, ParallelRun& parallel);

}  // namespace warpcheck::emulator
