// The blocks of a launch that are under way.
//
// One block runs to its end, then the next: only where a block waits for what another one writes (a
// grid's barrier, a lock, a flag) do others start beside it, and all take turns. No more are under
// way than a GPU would hold, so a kernel that needs more of them hangs here as there.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Rounds of its warps that a block may spend waiting before another gets the turn: most often warps
// of one block wait for each other.
inline constexpr std::uint32_t kPatience = 64;

class Residents {
 public:
  // Starts the next block of the launch's order in a block that is prepared.
  using Start = std::function<void(Block&)>;

  Residents(Launch& launch, std::uint64_t blocks, Start start);

  // Runs all blocks, or until the launch is stopped.
  void Run();

 private:
  Block* Next();
  Block* StartOne();
  std::uint64_t underway() const { return made_.size() - idle_.size(); }

  Launch& launch_;
  std::uint64_t unstarted_;
  std::uint64_t limit_ = 0;
  Start start_;
  std::vector<std::unique_ptr<Block>> made_;
  std::vector<Block*> idle_;    // of made_: to be used again
  std::deque<Block*> waiting_;  // of made_: the longest without a turn first
  std::uint64_t in_vain_ = 0;   // turns since a block ended or started
  std::uint64_t wave_ = 0;      // blocks to be started next
};

}  // namespace warpcheck::emulator
