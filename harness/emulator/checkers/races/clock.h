// The clock of the race checker gives accesses their epochs, and knows which accesses of one block
// are ordered by barriers and warp syncs.
//
// The clock advances whenever something may order accesses: at barriers, warp syncs and fences,
// when a block begins, and when the emulator switches from one block to another. For each pair of
// warps, and of lanes of a warp, a vector clock has an epoch: everything that the one did up to
// this epoch happened before the other.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "emulator/checkers/races/shadow/shadow_memory.h"
#include "emulator/core/block.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

inline constexpr std::uint32_t kMostWarps = 32;  // the most warps of a block

// A thread: the number of its block in the order in which blocks began, and its index in the block.
struct ThreadId {
  std::uint32_t block = 0;
  std::uint32_t thread = 0;

  std::uint32_t warp() const { return thread / kLanes; }
  std::uint32_t lane() const { return thread % kLanes; }
  friend bool operator==(const ThreadId&, const ThreadId&) = default;
};

struct BlockClock {
  using Table = std::array<std::array<Epoch, kLanes>, kLanes>;

  std::uint32_t number = 0;  // the number of the block, in the order in which blocks began
  Epoch begin = 0;           // no other block has run since this epoch
  // Everything that the block did before this epoch is ordered, for all of its warps.
  Epoch floor = 0;
  std::array<Epoch, kMostWarps> warp_floor = {};  // the same for the lanes of each warp
  // The vector clocks. What warp j did before (*warps)[i][j] is ordered before what warp i does
  // now, and the same is true for the lanes of each warp. They exist only if some barrier or warp
  // sync was not reached by all.
  std::unique_ptr<Table> warps;
  std::array<std::unique_ptr<Table>, kMostWarps> lanes = {};
  // The epochs of the last fence with a scope beyond the block, and of the last fence of each warp
  // with any scope.
  Epoch device_fence = 0;
  std::array<Epoch, kMostWarps> warp_fence = {};
  // The last fence of each warp with a scope beyond the block, or the last barrier that some warps
  // met at. What a warp saw of flags before either is acquired.
  std::array<Epoch, kMostWarps> acquired = {};
};

class RaceClock {
 public:
  // Begins a launch: earlier epochs no longer count.
  void BeginLaunch();
  void BeginBlock(const Block& block);
  void EndBlock(const Block& block) { clocks_.erase(&block), current_ = nullptr; }
  // Returns the clock of the block that runs now.
  BlockClock& Of(const Block& block) {
    if (current_ != &block) [[unlikely]]
      Enter(block);
    return *clock_;
  }
  // Returns true if all warps of the block that still run have met.
  bool Barrier(const BarrierEvent& event);
  void WarpSync(const WarpSyncEvent& event);
  void Fence(const FenceEvent& event);

  Epoch now() const { return now_; }
  void Tick() { ++now_; }
  // Returns true if so many epochs are used up that the next launch should begin with a new clock
  // and new shadow memory.
  bool should_restart() const { return now_ > kRestartAfter; }
  Epoch launch_begin() const { return launch_begin_; }
  // Returns true if there are no epochs left: the checker cannot find races any more.
  bool out_of_epochs() const { return now_ > kLast; }

  // Returns the number of the block that ran at an epoch of this launch.
  std::uint32_t BlockAt(Epoch epoch) const;
  const Dim3& IndexOf(std::uint32_t block) const { return indices_[block]; }
  // Returns true if barriers and warp syncs order what the thread `before` did at `epoch` before
  // what `thread` of the same block does now.
  static bool Ordered(const BlockClock& clock, std::uint32_t before, Epoch epoch,
                      std::uint32_t thread);

 private:
  static constexpr Epoch kLast = 2'000'000'000;
  static constexpr Epoch kRestartAfter = 20'000'000;
  struct Turn {
    Epoch begin = 0;
    std::uint32_t block = 0;
  };
  void Enter(const Block& block);

  Epoch now_ = 1;
  Epoch launch_begin_ = 1;
  const Block* current_ = nullptr;
  BlockClock* clock_ = nullptr;
  std::map<const Block*, BlockClock> clocks_;
  std::vector<Turn> turns_;    // which block ran since which epoch, ascending
  std::vector<Dim3> indices_;  // blockIdx of each block, by its number
};

}  // namespace warpcheck::emulator
