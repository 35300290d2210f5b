#include "emulator/core/residents.h"

#include <algorithm>
#include <utility>

namespace warpcheck::emulator {
namespace {

// In a cooperative launch blocks are sure to wait for each other.
constexpr std::uint32_t kCooperativePatience = 1;

// Bytes of blocks under way, beyond which no other is started.
constexpr std::uint64_t kMaxBytes = std::uint64_t{512} << 20;

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

}  // namespace

Residents::Residents(Launch& launch, std::uint64_t blocks, Start start)
    : launch_(launch), unstarted_(blocks), limit_(LimitOf(launch)), start_(std::move(start)) {}

Block* Residents::StartOne() {
  if (idle_.empty()) {
    idle_.push_back(made_.emplace_back(std::make_unique<Block>()).get());
    SetUpBlock(launch_, *idle_.back());
  }
  Block* block = idle_.back();
  idle_.pop_back();
  start_(*block);
  --unstarted_;
  if (wave_ != 0) --wave_;
  in_vain_ = 0;
  return block;
}

// Who waits gets turns, until all have had one in vain: then as many again are started.
Block* Residents::Next() {
  if (in_vain_ != 0 && in_vain_ >= waiting_.size()) {
    wave_ = waiting_.size();
    in_vain_ = 0;
  }
  const bool wanted = waiting_.empty() || wave_ != 0 || launch_.request->cooperative;
  if (wanted && unstarted_ != 0 && underway() < limit_) return StartOne();
  if (waiting_.empty()) return nullptr;
  Block* block = waiting_.front();
  waiting_.pop_front();
  return block;
}

void Residents::Run() {
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

}  // namespace warpcheck::emulator
