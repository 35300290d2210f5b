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
#include <optional>
#include <vector>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// In which order the blocks of a launch run, and the warps of each: as they are numbered, or as
// Options::order_seed has it.

// A small generator of our own (SplitMix64), so that an order is the same on every machine.
class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Below(std::uint64_t bound) { return Next() % bound; }

 private:
  std::uint64_t Next();

  std::uint64_t state_;
};

class BlockOrder {
 public:
  explicit BlockOrder(const Launch& launch);

  // Starts the next block of the order in `block`, which is prepared.
  void StartNext(Block& block);
  // Passes over `count` blocks, as if they had been started in `block` and had run.
  void Skip(std::uint64_t count, Block& block);

 private:
  // All numbers below the number of blocks, once: from a start, in steps that have no factor in
  // common with it.
  std::uint64_t NextNumber();
  void Shuffle(std::vector<std::uint32_t>& order);

  const Dim3 grid_;
  std::optional<Mixer> mixer_;
  std::uint64_t next_ = 0;
  std::uint64_t step_ = 1;
};

// Rounds of its warps that a block may spend waiting before another gets the turn: most often warps
// of one block wait for each other.
inline constexpr std::uint32_t kPatience = 64;

class BlockScheduler {
 public:
  // Starts the next block of the launch's order in a block that is prepared.
  using Start = std::function<void(Block&)>;

  BlockScheduler(Launch& launch, std::uint64_t blocks, Start start);

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
