// WaitCost decides what loops that wait take from the budget of instructions.
//
// The number of polls of a warp while others work depends on the order in which warps run. It is no
// work of the kernel. So polls cost nothing while any warp can go on: what they took is given back
// when one does. This makes at most kShare times the work of the warps that went on free, so that
// the time of a launch stays bounded; polls are no such work, whichever loop they belong to. If no
// warp of any block goes on, each poll costs kPollCost more, so that a deadlock ends within
// seconds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

class WaitCost {
 public:
  // Notes a turn of a warp, which took `cost` from the budget. Returns what is given back.
  std::uint64_t GivenBack(const Warp& warp, std::uint64_t cost) {
    std::uint64_t back = 0;
    std::uint64_t polled = warp.went_on ? 0 : cost;
    if (warp.running.state == WarpState::kSpun) {
      polled = std::max(polled, std::min<std::uint64_t>(cost, warp.spin_cost + kAccessCost));
    }
    if (warp.went_on) {
      credit_ += kShare * (cost - std::min(cost, polled));
      back = std::min(waited_, credit_);
      credit_ -= back;
      waited_ = 0;
      polls_ = 0;
    }
    if (polled != 0) {
      waited_ += polled;
      ++polls_;
    }
    return back;
  }
  // Call this when all blocks have had a turn, and no warp went on. Returns what the polls cost.
  std::uint64_t NobodyWentOn() {
    const std::uint64_t polls = polls_;
    polls_ = 0;
    return polls * kPollCost;
  }

 private:
  static constexpr std::uint64_t kShare = 4;
  static constexpr std::uint64_t kAccessCost = 8;  // what the accesses of a poll take
  // In warp instructions. It is about the time of a load from memory on a GPU.
  static constexpr std::uint64_t kPollCost = 100;

  std::uint64_t credit_ = 0;  // at most this much of `waited_` is given back
  std::uint64_t waited_ = 0;  // the cost of polls since a warp last went on
  std::uint64_t polls_ = 0;   // their number
};

}  // namespace warpcheck::emulator
