// In which order the blocks of a launch run, and the warps of each: as they are numbered, or as
// Options::order_seed has it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// A small generator of our own (SplitMix64), so that an order is the same on every machine.
struct Mixer {
  std::uint64_t state = 0;

  std::uint64_t Below(std::uint64_t bound);
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

}  // namespace warpcheck::emulator
