// When accesses of one block happen, and which of them barriers and warp syncs order.
//
// A stamp is a point in time; it goes up when something orders: at barriers, warp syncs, fences,
// when a block begins, and when another block than before goes on. Warps know of each other up to a
// stamp, and so do the lanes of a warp.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "emulator/checkers/shadow_memory.h"
#include "emulator/core/block.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

inline constexpr std::uint32_t kMostWarps = 32;  // a block

// A thread: its block by the order in which blocks began, and its place in the block.
struct ThreadId {
  std::uint32_t block = 0;
  std::uint32_t thread = 0;

  std::uint32_t warp() const { return thread / kLanes; }
  std::uint32_t lane() const { return thread % kLanes; }
  friend bool operator==(const ThreadId&, const ThreadId&) = default;
};

struct BlockClock {
  using Table = std::array<std::array<Stamp, kLanes>, kLanes>;

  std::uint32_t number = 0;  // in the order in which blocks began
  Stamp begin = 0;           // since when it runs without another block in between
  Stamp floor = 0;           // what the block did before is over for all of its warps
  std::array<Stamp, kMostWarps> warp_floor = {};  // the same for the lanes of a warp
  // What warp i knows of warp j, and lane i of lane j, where not all met.
  std::unique_ptr<Table> warps;
  std::array<std::unique_ptr<Table>, kMostWarps> lanes = {};
  // The last fences: of the device, of each warp (any scope).
  Stamp device_fence = 0;
  std::array<Stamp, kMostWarps> warp_fence = {};
};

class RaceClock {
 public:
  // No stamp of before this counts any more.
  void BeginLaunch();
  void BeginBlock(const Block& block);
  void EndBlock(const Block& block) { clocks_.erase(&block), current_ = nullptr; }
  // The clock of the block that acts now.
  BlockClock& Of(const Block& block) {
    if (current_ != &block) [[unlikely]]
      Enter(block);
    return *clock_;
  }
  // True where all warps of the block that still run have met.
  bool Barrier(const BarrierEvent& event);
  void WarpSync(const WarpSyncEvent& event);
  void Fence(const FenceEvent& event);

  Stamp now() const { return now_; }
  void Tick() { ++now_; }
  // True where so many stamps are used that a launch should begin with a new clock, and new
  // shadows.
  bool worn() const { return now_ > kWorn; }
  Stamp launch_begin() const { return launch_begin_; }
  // True when stamps run out; nothing can be told any more.
  bool exhausted() const { return now_ > kLast; }

  // The block that acted at a stamp of this launch.
  std::uint32_t BlockAt(Stamp stamp) const;
  const Dim3& IndexOf(std::uint32_t block) const { return indices_[block]; }
  // Whether barriers and warp syncs order what `before` did at `stamp` before what `thread` of the
  // same block does now.
  static bool Ordered(const BlockClock& clock, std::uint32_t before, Stamp stamp,
                      std::uint32_t thread);

 private:
  static constexpr Stamp kLast = 2'000'000'000;
  static constexpr Stamp kWorn = 20'000'000;
  struct Run {
    Stamp begin = 0;
    std::uint32_t block = 0;
  };
  void Enter(const Block& block);

  Stamp now_ = 1;
  Stamp launch_begin_ = 1;
  const Block* current_ = nullptr;
  BlockClock* clock_ = nullptr;
  std::map<const Block*, BlockClock> clocks_;
  std::vector<Run> runs_;      // of blocks, one after the other
  std::vector<Dim3> indices_;  // of the blocks, by number
};

}  // namespace warpcheck::emulator
