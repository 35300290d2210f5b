#include "emulator/checkers/races/signals.h"

#include <algorithm>

namespace warpcheck::emulator {

void RaceSignals::BeginLaunch(const Launch& launch) {
  flags_.clear();
  learnt_.clear();
  kept_ = 0;
  active_ = std::ranges::any_of(launch.counts, [](const auto& program) {
    return std::ranges::any_of(program.first->memory, [](const MemoryInfo& info) {
      const bool reads =
          info.kind == MemoryInfo::Kind::kLoad || info.kind == MemoryInfo::Kind::kAtomic;
      return reads && info.order != MemoryOrder::kWeak && info.space != ptx::Space::kShared;
    });
  });
}

void RaceSignals::Wrote(std::uint64_t flag, std::uint32_t block, Epoch at, Epoch released,
                        bool replaces) {
  if (kept_ >= kMostWrites) return;
  Flag& known = flags_[flag];
  ++known.writes;
  if (replaces) known.replaced = known.writes;
  const auto [last, is_new] = known.last.insert_or_assign(
      block, Write{.number = known.writes, .at = at, .released = released});
  if (is_new) ++kept_;
}

void RaceSignals::Read(std::uint64_t flag, std::uint32_t block) {
  const auto found = flags_.find(flag);
  if (found == flags_.end()) return;
  LearntByBlock& own = learnt_[block];
  const Learnt learnt{.flag = &found->second,
                      .address = flag,
                      .from = std::max<std::uint64_t>(found->second.replaced, 1),
                      .to = found->second.writes};
  const auto known = std::ranges::find(own.flags, flag, &Learnt::address);
  if (known != own.flags.end()) {
    *known = learnt;
  } else {
    own.flags[own.next] = learnt;
    own.next = (own.next + 1) % kMostLearnt;
  }
}

bool RaceSignals::Tells(std::uint32_t writer, Epoch epoch, std::uint32_t reader,
                        std::uint64_t address) const {
  const auto found = learnt_.find(reader);
  if (found == learnt_.end()) return false;
  return std::ranges::any_of(found->second.flags, [&](const Learnt& learnt) {
    if (learnt.flag == nullptr || learnt.address == address) return false;
    const auto last = learnt.flag->last.find(writer);
    if (last == learnt.flag->last.end()) return false;
    const Write& write = last->second;
    return write.number >= learnt.from && write.number <= learnt.to && epoch < write.at &&
           epoch >= write.released;
  });
}

}  // namespace warpcheck::emulator
