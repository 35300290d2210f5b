#include "emulator/checkers/races/signals.h"

#include <algorithm>

#include "emulator/checkers/races/flags.h"

namespace warpcheck::emulator {
namespace {

// Returns true if the kernel reads flags in one of the two memories.
bool ReadsFlags(const Launch& launch, bool shared) {
  const ptx::Space other = shared ? ptx::Space::kGlobal : ptx::Space::kShared;
  return std::ranges::any_of(launch.counts, [&](const auto& program) {
    return std::ranges::any_of(program.first->memory, [&](const MemoryInfo& info) {
      const bool reads =
          info.kind == MemoryInfo::Kind::kLoad || info.kind == MemoryInfo::Kind::kAtomic;
      return reads && info.order != MemoryOrder::kWeak && !info.mbarrier && info.space != other;
    });
  });
}

}  // namespace

void RaceSignals::BeginLaunch(const Launch& launch) {
  flags_.clear();
  in_shared_.clear();
  learnt_.clear();
  kept_ = 0;
  reads_global_ = ReadsFlags(launch, false);
  reads_shared_ = ReadsFlags(launch, true);
}

void RaceSignals::Wrote(std::uint64_t flag, const Write& write) {
  if (kept_ >= kMostWrites) return;
  const auto [found, is_new_flag] = flags_.try_emplace(flag);
  if (is_new_flag && RaceFlags::IsShared(flag)) in_shared_[write.by.block].push_back(flag);
  Flag& known = found->second;
  ++known.writes;
  if (write.replaces) known.replaced = known.writes;
  const auto note = [&](Party party, Epoch released) {
    const LastWrite last{.number = known.writes, .at = write.at, .released = released};
    if (known.last.insert_or_assign(party, last).second) ++kept_;
  };
  note(WarpOf(write.by), write.released_in_block);
  if (!RaceFlags::IsShared(flag)) note(BlockOf(write.by), write.released);
}

void RaceSignals::Read(std::uint64_t flag, const ThreadId& by) {
  const auto found = flags_.find(flag);
  if (found == flags_.end()) return;
  const Learnt learnt{.flag = &found->second,
                      .address = flag,
                      .from = std::max<std::uint64_t>(found->second.replaced, 1),
                      .to = found->second.writes};
  Learn(WarpOf(by), learnt);
  if (!RaceFlags::IsShared(flag)) Learn(BlockOf(by), learnt);
}

void RaceSignals::Learn(Party party, const Learnt& learnt) {
  LearntByParty& own = learnt_[party];
  const auto known = std::ranges::find(own.flags, learnt.address, &Learnt::address);
  if (known != own.flags.end()) {
    *known = learnt;
  } else {
    own.flags[own.next] = learnt;
    own.next = (own.next + 1) % kMostLearnt;
  }
}

void RaceSignals::EndBlock(std::uint32_t block) {
  learnt_.erase(BlockOf({block, 0}));
  for (std::uint32_t warp = 0; warp < kMostWarps; ++warp) {
    learnt_.erase(WarpOf({block, warp * kLanes}));
  }
  const auto flags = in_shared_.find(block);
  if (flags == in_shared_.end()) return;
  for (const std::uint64_t flag : flags->second) {
    const auto found = flags_.find(flag);
    kept_ -= found->second.last.size();
    flags_.erase(found);
  }
  in_shared_.erase(flags);
}

bool RaceSignals::Tells(const ThreadId& writer, Epoch epoch, const ThreadId& reader,
                        std::uint64_t address, bool unreleased) const {
  const bool in_block = writer.block == reader.block;
  if (in_block && writer.warp() == reader.warp()) return false;
  const Party from = in_block ? WarpOf(writer) : BlockOf(writer);
  const auto found = learnt_.find(in_block ? WarpOf(reader) : BlockOf(reader));
  if (found == learnt_.end()) return false;
  return std::ranges::any_of(found->second.flags, [&](const Learnt& learnt) {
    if (learnt.flag == nullptr || learnt.address == address) return false;
    const auto last = learnt.flag->last.find(from);
    if (last == learnt.flag->last.end()) return false;
    const LastWrite& write = last->second;
    return write.number >= learnt.from && write.number <= learnt.to && epoch < write.at &&
           (!unreleased || epoch >= write.released);
  });
}

}  // namespace warpcheck::emulator
