// Decides the order in which the blocks of a launch and the warps of each block run: by number, or
// as Options::order_seed permutes them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// A small random generator (SplitMix64), which gives the same order on every machine.
struct Mixer {
  std::uint64_t state = 0;

  std::uint64_t Below(std::uint64_t bound);
};

class BlockOrder {
 public:
  explicit BlockOrder(const Launch& launch);

  // Starts the next block of the order in the object `block`, which SetUpBlock has prepared.
  void StartNext(Block& block);
  // Skips `count` blocks, as if they had been started in `block`.
  void Skip(std::uint64_t count, Block& block);

 private:
  // Returns each number below the number of blocks once. It begins at some number and adds a step
  // that has no factor in common with the number of blocks.
  std::uint64_t NextNumber();
  void Shuffle(std::vector<std::uint32_t>& order);

  const Dim3 grid_;
  std::optional<Mixer> mixer_;
  std::uint64_t next_ = 0;
  std::uint64_t step_ = 1;
};

}  // namespace warpcheck::emulator
