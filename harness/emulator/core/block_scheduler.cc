#include "emulator/core/block_scheduler.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <utility>

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

namespace {

// In a cooperative launch blocks are sure to wait for each other.
constexpr std::uint32_t kCooperativePatience = 1;

// Bytes of blocks under way, beyond which no other is started.
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

// Memory instructions remember where shared memory lies: that of the block before.
void ForgetShared(Launch& launch) {
  for (auto& [program, counts] : launch.counts) {
    for (MemorySite& site : counts.sites) {
      if (site.Remembers(TallyOf::kShared)) site.Forget();
    }
  }
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
      if (RunBlock(*block, patience)) {
        idle_.push_back(block);
        in_vain_ = 0;
      } else {
        waiting_.push_back(block);
        ++in_vain_;
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
    in_vain_ = 0;
    return block;
  }

  // Who waits gets turns, until all have had one in vain: then as many again are started.
  Block* Next() {
    if (in_vain_ != 0 && in_vain_ >= waiting_.size()) {
      wave_ = waiting_.size();
      in_vain_ = 0;
    }
    const bool wanted = waiting_.empty() || wave_ != 0 || launch_.request->cooperative;
    const std::uint64_t underway = made_.size() - idle_.size();
    if (wanted && unstarted_ != 0 && underway < limit_) return StartOne();
    if (waiting_.empty()) return nullptr;
    Block* block = waiting_.front();
    waiting_.pop_front();
    return block;
  }

  Launch& launch_;
  BlockOrder order_;
  std::uint64_t unstarted_;
  const std::uint64_t limit_;
  std::vector<std::unique_ptr<Block>> made_;
  std::vector<Block*> idle_;    // of made_: to be used again
  std::deque<Block*> waiting_;  // of made_: the longest without a turn first
  std::uint64_t in_vain_ = 0;   // turns since a block ended or started
  std::uint64_t wave_ = 0;      // blocks to be started next
};

}  // namespace

void RunInTurns(Launch& launch, std::uint64_t blocks) { Scheduler(launch, blocks).Run(); }

}  // namespace warpcheck::emulator
