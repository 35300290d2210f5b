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

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/core/launch.h"
#include "emulator/memory/speculative_memory.h"

namespace warpcheck::emulator {

// Threads that wait for work, and do it together with the thread that brings it.
class ThreadTeam {
 public:
  // `size` threads, the caller's included; fewer where the system does not give as many.
  explicit ThreadTeam(unsigned size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Threads that there are. In a process that was forked off since there is the caller's alone.
  unsigned size() const;
  // Calls work(i) for each i below size(), each on a thread of its own with the floating-point
  // environment of the caller, and returns when all have.
  void Run(const std::function<void(unsigned)>& work);

 private:
  void Wait(unsigned number);

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::uint64_t rounds_ = 0;  // of work that were begun
  unsigned running_ = 0;      // threads that have not ended this one
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

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
