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
  by_warps_.clear();
  learnt_.clear();
  kept_ = 0;
  steps_ = 0;
  full_ = false;
  reads_global_ = ReadsFlags(launch, false);
  reads_shared_ = ReadsFlags(launch, true);
}

void RaceSignals::Wrote(std::uint64_t flag, const Write& write) {
  if (!MayKeep()) return;
  const auto [found, is_new_flag] = flags_.try_emplace(flag);
  if (is_new_flag && RaceFlags::IsShared(flag)) in_shared_[write.by.block].push_back(flag);
  Flag& known = found->second;
  ++known.writes;
  if (write.replaces) known.replaced = known.writes;
  const auto note = [&](Party party, Epoch released) {
    const LastWrite last{.number = known.writes, .at = write.at, .released = released};
    const bool is_new_party = known.last.insert_or_assign(party, last).second;
    if (is_new_party) ++kept_;
    return is_new_party;
  };
  const Party warp = WarpOf(write.by);
  if (note(warp, write.released_in_block)) by_warps_[write.by.block].emplace_back(&known, warp);
  if (!RaceFlags::IsShared(flag)) note(BlockOf(write.by), write.released);
}

void RaceSignals::Read(std::uint64_t flag, const ThreadId& by) {
  const auto found = flags_.find(flag);
  if (found == flags_.end()) return;
  Learn(flag, WarpOf(by), found->second);
  if (!RaceFlags::IsShared(flag)) Learn(flag, BlockOf(by), found->second);
}

void RaceSignals::Learn(std::uint64_t flag, Party party, const Flag& known) {
  LearntByParty& own = learnt_[party];
  const std::uint64_t from = std::max<std::uint64_t>(known.replaced, 1);
  if (known.last.size() > kFewWriters) {
    const auto counter = own.counters.find(flag);
    if (counter == own.counters.end()) {
      if (!MayKeep()) return;
      ++kept_;
    }
    own.counters[flag] = {.flag = &known, .from = from, .to = known.writes};
    return;
  }
  for (const auto& [writer, write] : known.last) {
    if (write.number < from || IsWarp(writer) != IsWarp(party)) continue;
    Learn(writer, {.flag = flag, .at = write.at, .released = write.released}, own);
  }
}

void RaceSignals::Learn(Party writer, const Told& told, LearntByParty& own) {
  auto found = own.writes.find(writer);
  if (found == own.writes.end()) {
    if (!MayKeep()) return;
    ++kept_;
    found = own.writes.emplace(writer, std::array<Told, 2>{}).first;
  }
  auto& [last, of_another_flag] = found->second;
  if (told.at > last.at) {
    if (told.flag != last.flag) of_another_flag = last;
    last = told;
  } else if (told.flag != last.flag && told.at > of_another_flag.at) {
    of_another_flag = told;
  }
}

bool RaceSignals::MayKeep() {
  full_ = full_ || kept_ >= kMost;
  return !full_;
}

void RaceSignals::Forget(Party party) {
  const auto found = learnt_.find(party);
  if (found == learnt_.end()) return;
  kept_ -= found->second.writes.size() + found->second.counters.size();
  learnt_.erase(found);
}

void RaceSignals::EndBlock(std::uint32_t block) {
  Forget(BlockOf({block, 0}));
  for (std::uint32_t warp = 0; warp < kMostWarps; ++warp) Forget(WarpOf({block, warp * kLanes}));
  if (const auto written = by_warps_.find(block); written != by_warps_.end()) {
    for (const auto& [flag, warp] : written->second) kept_ -= flag->last.erase(warp);
    by_warps_.erase(written);
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
                        std::uint64_t address, bool unreleased) {
  const bool in_block = writer.block == reader.block;
  if (in_block && writer.warp() == reader.warp()) return false;
  const Party from = in_block ? WarpOf(writer) : BlockOf(writer);
  const auto found = learnt_.find(in_block ? WarpOf(reader) : BlockOf(reader));
  if (found == learnt_.end()) return false;
  const LearntByParty& learnt = found->second;
  const auto tells = [&](std::uint64_t flag, Epoch at, Epoch released) {
    return flag != address && epoch < at && (!unreleased || epoch >= released);
  };
  if (const auto writes = learnt.writes.find(from); writes != learnt.writes.end()) {
    for (const Told& told : writes->second) {
      if (tells(told.flag, told.at, told.released)) return true;
    }
  }
  steps_ += learnt.counters.size();
  full_ = full_ || steps_ > kMostSteps;
  if (full_) return false;
  return std::ranges::any_of(learnt.counters, [&](const auto& counter) {
    const auto& [flag, seen] = counter;
    const auto last = seen.flag->last.find(from);
    if (last == seen.flag->last.end()) return false;
    const LastWrite& write = last->second;
    return write.number >= seen.from && write.number <= seen.to &&
           tells(flag, write.at, write.released);
  });
}

}  // namespace warpcheck::emulator
