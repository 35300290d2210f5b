// BlockShares tells how the blocks of a launch share the bytes that they move.
//
// It counts what each block did. Blocks may draw their work: each takes the number of its next
// piece from a counter in global memory, until no pieces are left. The scheduler lets such blocks
// draw in turns (blocks/block_scheduler.h), as on a GPU, so that each gets its part.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpcheck::emulator {

class BlockShares {
 public:
  // Adds a block that has ended, and that loaded, stored and updated `bytes` in global memory.
  void Add(std::uint64_t bytes) { busiest_ = std::max(busiest_, bytes); }
  // Adds the blocks of another part of the launch.
  void Add(const BlockShares& part) { Add(part.busiest_); }

  // Returns the bytes of the block that moves most.
  std::uint64_t Busiest() const { return busiest_; }

 private:
  std::uint64_t busiest_ = 0;
};

}  // namespace warpcheck::emulator
