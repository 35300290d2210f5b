#include "emulator/blocks/block_order.h"

#include <numeric>
#include <utility>

#include "emulator/blocks/block_run.h"

namespace warpcheck::emulator {

std::uint64_t Mixer::Below(std::uint64_t bound) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return (z ^ (z >> 31)) % bound;
}

BlockOrder::BlockOrder(const Launch& launch) : grid_(launch.request->grid) {
  const std::uint64_t count = grid_.Count();
  if (!launch.options->order_seed) return;
  mixer_ = Mixer{*launch.options->order_seed + launch.grid_id};
  next_ = mixer_->Below(count);
  do {
    step_ = 1 + mixer_->Below(count);
  } while (std::gcd(step_, count) != 1);
}

std::uint64_t BlockOrder::NextNumber() {
  const std::uint64_t current = next_;
  next_ = (next_ + step_) % grid_.Count();
  return current;
}

void BlockOrder::Shuffle(std::vector<std::uint32_t>& order) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mixer_->Below(i)]);
}

void BlockOrder::StartNext(Block& block) {
  if (mixer_) Shuffle(block.order);
  StartBlock(block, PositionIn(grid_, NextNumber()));
}

void BlockOrder::Skip(std::uint64_t count, Block& block) {
  for (; count != 0; --count) {
    if (mixer_) Shuffle(block.order);
    NextNumber();
  }
}

}  // namespace warpcheck::emulator
