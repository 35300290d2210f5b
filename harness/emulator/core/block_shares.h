// BlockShares tells how the blocks of a launch share the bytes that they move.
//
// Blocks may draw their work: each takes the number of its next piece from a counter in global
// memory, until no pieces are left. On a GPU the blocks that run at once draw in turns. Here a
// block runs to its end before the next one starts, so that the first one draws nearly everything.
// Therefore the pieces that blocks have drawn are shared out equally among them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace warpcheck::emulator {

// MovedWork counts what a block, or all blocks until now, did in global memory.
struct MovedWork {
  std::uint64_t bytes = 0;  // that were loaded, stored and updated
  std::uint64_t draws = 0;  // warp instructions that are atomics with a result

  MovedWork& operator+=(const MovedWork& more) {
    bytes += more.bytes;
    draws += more.draws;
    return *this;
  }
  MovedWork operator-(const MovedWork& earlier) const {
    return {.bytes = bytes - earlier.bytes, .draws = draws - earlier.draws};
  }
};

class BlockShares {
 public:
  // Adds a block that has ended.
  void Add(const MovedWork& block) {
    busiest_ = std::max(busiest_, block.bytes);
    if (block.draws == 0) {
      busiest_without_draws_ = std::max(busiest_without_draws_, block.bytes);
      return;
    }
    draws_ += block.draws;
    most_draws_ = std::max(most_draws_, block.draws);
    fewest_draws_ = drawing_ == 0 ? block.draws : std::min(fewest_draws_, block.draws);
    ++drawing_;
    bytes_of_drawing_ += block.bytes;
  }

  // Adds the blocks of another part of the launch.
  void Add(const BlockShares& part) {
    busiest_ = std::max(busiest_, part.busiest_);
    busiest_without_draws_ = std::max(busiest_without_draws_, part.busiest_without_draws_);
    if (part.drawing_ == 0) return;
    draws_ += part.draws_;
    most_draws_ = std::max(most_draws_, part.most_draws_);
    fewest_draws_ =
        drawing_ == 0 ? part.fewest_draws_ : std::min(fewest_draws_, part.fewest_draws_);
    drawing_ += part.drawing_;
    bytes_of_drawing_ += part.bytes_of_drawing_;
  }

  // Returns the bytes of the block that moves most. A block that finds no piece draws once. So
  // blocks draw their work if one of them draws at least twice as often as another. Blocks that
  // each ask once whether they are the last one do not: the last one's bytes are its own.
  std::uint64_t Busiest() const {
    if (most_draws_ < 2 * fewest_draws_ || drawing_ < 2) return busiest_;
    const std::uint64_t pieces = draws_ - fewest_draws_ * drawing_;
    const double of_one = std::ceil(static_cast<double>(pieces) / static_cast<double>(drawing_)) /
                          static_cast<double>(pieces);
    const double bytes = std::ceil(static_cast<double>(bytes_of_drawing_) * of_one);
    return std::max(busiest_without_draws_, static_cast<std::uint64_t>(bytes));
  }

 private:
  std::uint64_t busiest_ = 0;  // bytes
  std::uint64_t busiest_without_draws_ = 0;
  std::uint64_t drawing_ = 0;  // blocks that draw
  std::uint64_t bytes_of_drawing_ = 0;
  std::uint64_t draws_ = 0;       // of all blocks
  std::uint64_t most_draws_ = 0;  // of a block that draws
  std::uint64_t fewest_draws_ = 0;
};

}  // namespace warpcheck::emulator
