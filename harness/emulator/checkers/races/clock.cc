#include "emulator/checkers/races/clock.h"

#include <algorithm>

namespace warpcheck::emulator {
namespace {

std::uint32_t RunningWarps(const Block& block) {
  std::uint32_t running = 0;
  for (const Warp& warp : block.warps) {
    if (warp.running.state != WarpState::kDone) running |= 1U << warp.index;
  }
  return running;
}

// Joins the vector clocks of `members` (warps, or lanes), which meet at the epoch `now`.
void Join(BlockClock::Table& table, std::uint32_t members, Epoch now) {
  std::array<Epoch, kLanes> all = {};
  EachLane(members, [&](std::size_t member) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], table[member][i]);
  });
  EachLane(members, [&](std::size_t member) { all[member] = now; });
  EachLane(members, [&](std::size_t member) { table[member] = all; });
}

}  // namespace

void RaceClock::BeginLaunch() {
  launch_begin_ = ++now_;
  current_ = nullptr;
  clocks_.clear();
  turns_.clear();
  indices_.clear();
}

void RaceClock::BeginBlock(const Block& block) {
  BlockClock& clock = clocks_[&block];
  clock = {};
  clock.number = static_cast<std::uint32_t>(indices_.size());
  indices_.push_back(block.index);
  Enter(block);
  clock.floor = now_;
  clock.warp_floor.fill(now_);
}

void RaceClock::Enter(const Block& block) {
  current_ = &block;
  clock_ = &clocks_[&block];
  clock_->begin = ++now_;
  turns_.push_back({now_, clock_->number});
}

bool RaceClock::Barrier(const BarrierEvent& event) {
  BlockClock& clock = Of(event.block);
  const std::uint32_t met = event.waited | event.arrived;
  ++now_;
  if ((RunningWarps(event.block) & ~met) == 0) {
    clock.floor = now_;
    clock.warp_floor.fill(now_);
    return true;
  }
  if (clock.warps == nullptr) clock.warps = std::make_unique<BlockClock::Table>();
  Join(*clock.warps, met, now_);
  EachLane(met, [&](std::size_t warp) { clock.warp_floor[warp] = clock.acquired[warp] = now_; });
  return false;
}

void RaceClock::WarpSync(const WarpSyncEvent& event) {
  BlockClock& clock = Of(*event.warp.block);
  ++now_;
  const std::uint32_t warp = event.warp.index;
  if ((~event.warp.exited & ~event.lanes) == 0) {
    clock.warp_floor[warp] = now_;
    return;
  }
  if (clock.lanes[warp] == nullptr) clock.lanes[warp] = std::make_unique<BlockClock::Table>();
  Join(*clock.lanes[warp], event.lanes, now_);
}

void RaceClock::Fence(const FenceEvent& event) {
  BlockClock& clock = Of(*event.warp.block);
  ++now_;
  clock.warp_fence[event.warp.index] = now_;
  if (event.scope == MemoryScope::kBlock) return;
  clock.device_fence = now_;
  clock.acquired[event.warp.index] = now_;
}

std::uint32_t RaceClock::BlockAt(Epoch epoch) const {
  const auto after = std::upper_bound(turns_.begin(), turns_.end(), epoch,
                                      [](Epoch at, const Turn& turn) { return at < turn.begin; });
  return after == turns_.begin() ? 0 : std::prev(after)->block;
}

bool RaceClock::Ordered(const BlockClock& clock, std::uint32_t before, Epoch epoch,
                        std::uint32_t thread) {
  if (before == thread || epoch < clock.floor) return true;
  const std::size_t warp = thread / kLanes;
  const std::size_t other = before / kLanes;
  if (warp != other) return clock.warps != nullptr && epoch < (*clock.warps)[warp][other];
  if (epoch < clock.warp_floor[warp]) return true;
  const auto& lanes = clock.lanes[warp];
  return lanes != nullptr && epoch < (*lanes)[thread % kLanes][before % kLanes];
}

}  // namespace warpcheck::emulator
