#include "emulator/blocks/block_scheduler.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "emulator/blocks/block_order.h"
#include "emulator/blocks/block_run.h"

namespace warpcheck::emulator {
namespace {

// This replaces kPatience in a cooperative launch, in which blocks certainly wait for each other.
constexpr std::uint32_t kCooperativePatience = 1;

// This replaces kPatience while there are blocks that gave way, since one of them may end the wait.
// A loop of compare-and-swap needs a second round after another block has drawn.
constexpr std::uint32_t kShortPatience = 4;

// A block that gives way lets a new one start only if fewer blocks run. A GPU may run more, but no
// block of so many has a large part of the work.
constexpr std::uint64_t kMostDrawing = 128;

// The scheduler starts no further block if the running blocks have this many bytes.
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

std::uint64_t BytesOf(const Launch& launch) {
  const std::uint64_t warps = (launch.request->block.Count() + kLanes - 1) / kLanes;
  const Program& program = launch.kernel->entry();
  return launch.shared_bytes + warps * (program.frame_bytes + kLanes * program.local_bytes + 1);
}

std::uint64_t LimitOf(const Launch& launch) {
  const std::uint64_t resident = std::max<std::uint64_t>(launch.resident_blocks, 1);
  if (launch.request->cooperative) return resident;
  return std::clamp<std::uint64_t>(kMaxBytes / BytesOf(launch), 1, resident);
}

// Makes memory instructions forget where the shared memory of the last block lies.
void ForgetShared(Launch& launch) {
  for (MemorySite* site : launch.sites_of_shared) {
    if (site->Remembers(TallyOf::kShared)) site->Forget();
    site->is_of_shared = false;
  }
  launch.sites_of_shared.clear();
}

class Scheduler {
 public:
  Scheduler(Launch& launch, std::uint64_t blocks)
      : launch_(launch), order_(launch), unstarted_(blocks), limit_(LimitOf(launch)) {}

  void Run() {
    const std::uint32_t patience = launch_.request->cooperative ? kCooperativePatience : kPatience;
    const Block* last = nullptr;
    while (!launch_.stopped) {
      Block* block = Next();
      if (block == nullptr) return;
      if (std::exchange(last, block) != block) ForgetShared(launch_);
      switch (RunBlock(*block, able_ != 0 ? std::min(patience, kShortPatience) : patience)) {
        case TurnEnd::kEnded:
          idle_.push_back(block);
          idle_turns_ = 0;
          break;
        case TurnEnd::kWaits:
          waiting_.push_back(block);
          ++idle_turns_;
          break;
        case TurnEnd::kGivesWay:
          waiting_.push_back(block);
          ++able_;
          idle_turns_ = 0;
          if (made_.size() - idle_.size() < kMostDrawing) wave_ = std::max<std::uint64_t>(wave_, 1);
          break;
      }
    }
  }

 private:
  Block* StartOne() {
    if (idle_.empty()) {
      idle_.push_back(made_.emplace_back(std::make_unique<Block>()).get());
      SetUpBlock(launch_, *idle_.back());
    }
    Block* block = idle_.back();
    idle_.pop_back();
    order_.StartNext(*block);
    --unstarted_;
    if (wave_ != 0) --wave_;
    idle_turns_ = 0;
    return block;
  }

  // Returns the block that gets the next turn, or null if all have ended. Waiting blocks take turns
  // until each has had a turn without success. Then the same number of new blocks is started. A
  // block that gives way lets one new block start.
  Block* Next() {
    const bool idle = idle_turns_ != 0 && idle_turns_ >= waiting_.size();
    if (idle) {
      wave_ = waiting_.size();
      idle_turns_ = 0;
    }
    const bool wanted = waiting_.empty() || wave_ != 0 || launch_.request->cooperative;
    const std::uint64_t underway = made_.size() - idle_.size();
    if (wanted && unstarted_ != 0 && underway < limit_) return StartOne();
    if (idle) launch_.SpendBudget(launch_.waits.NobodyWentOn());
    if (waiting_.empty()) return nullptr;
    Block* block = waiting_.front();
    waiting_.pop_front();
    if (block->gives_way) --able_;
    return block;
  }

  Launch& launch_;
  BlockOrder order_;
  std::uint64_t unstarted_;
  const std::uint64_t limit_;
  std::vector<std::unique_ptr<Block>> made_;
  std::vector<Block*> idle_;  // blocks of made_ that have ended and can be used again
  // Blocks of made_ that wait or gave way; the first has been without a turn for longest.
  std::deque<Block*> waiting_;
  std::uint64_t able_ = 0;  // the number of those that gave way, and can go on
  // The number of turns without success since a block ended or started.
  std::uint64_t idle_turns_ = 0;
  std::uint64_t wave_ = 0;  // the number of blocks to start next
};

}  // namespace

void RunInTurns(Launch& launch, std::uint64_t blocks) { Scheduler(launch, blocks).Run(); }

}  // namespace warpcheck::emulator
