#include "emulator/checkers/races/flags.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kMostSteps = 4096;  // the most blocks in a chain of releases

// The most steps that the queries of one checker may take: a fixed number, and some for each warp
// instruction that its kernels have executed. A step takes about as long as the emulator takes for
// an instruction.
constexpr std::uint64_t kFreeSteps = std::uint64_t{1} << 24;
constexpr std::uint64_t kStepsPerInstruction = 8;

LaneMask Bit(std::uint32_t lane) { return LaneMask{1} << lane; }

}  // namespace

void RaceFlags::BeginLaunch(const std::uint64_t* executed) {
  flags_.clear();
  in_shared_.clear();
  acquired_.clear();
  ordered_.clear();
  ordered_in_block_.clear();
  kept_ = 0;
  full_ = false;
  kept_acquires_ = 0;
  executed_ = executed;
}

void RaceFlags::EndLaunch() {
  if (executed_ != nullptr) executed_before_ += *executed_;
  executed_ = nullptr;
}

void RaceFlags::EndBlock(std::uint32_t block) {
  ordered_in_block_.erase(block);
  const auto flags = in_shared_.find(block);
  if (flags == in_shared_.end()) return;
  if (const auto acquired = acquired_.find(block); acquired != acquired_.end()) {
    AcquiresOfBlock& own = acquired->second;
    std::erase_if(own.all, [&](const FlagAcquires& one) {
      if (!one.is_shared) return false;
      --kept_;
      kept_acquires_ -= std::min(kept_acquires_, one.later.size());
      return true;
    });
    own.places.clear();
    for (std::size_t i = 0; i < own.all.size(); ++i) {
      own.places[{own.all[i].flag, own.all[i].warp, own.all[i].access}] = i;
    }
    if (own.all.empty()) acquired_.erase(acquired);
  }
  for (const std::uint64_t name : flags->second) {
    const auto flag = flags_.find(name);
    kept_ -= flag->second.releases.size();
    flags_.erase(flag);
  }
  in_shared_.erase(flags);
}

RaceFlags::Flag& RaceFlags::FlagOf(std::uint64_t name, std::uint32_t block) {
  const auto [found, is_new] = flags_.try_emplace(name);
  if (is_new && IsShared(name)) in_shared_[block].push_back(name);
  return found->second;
}

bool RaceFlags::SpendStep() {
  const std::uint64_t executed = executed_before_ + (executed_ == nullptr ? 0 : *executed_);
  if (++steps_ > kFreeSteps + kStepsPerInstruction * executed) out_of_budget_ = true;
  return !out_of_budget_;
}

void RaceFlags::Release(std::uint64_t flag, const BlockClock& clock, std::uint32_t thread,
                        Epoch now, FlagAccess access) {
  ReleaseRecord release;
  release.block = clock.number;
  release.warp = thread / kLanes;
  release.lanes = Bit(thread % kLanes);
  if (access.beyond_block) release.block_until = access.orders ? now : clock.device_fence;
  release.warp_until = access.orders ? now : clock.warp_fence[release.warp];
  release.at = now;
  if (full() || out_of_budget_ || (release.block_until == 0 && release.warp_until == 0)) return;
  Flag& known = FlagOf(flag, release.block);
  std::vector<std::uint32_t>& of_block = known.of_block[release.block];
  if (!of_block.empty()) {
    ReleaseRecord& last = known.releases[of_block.back()];
    if (last.warp == release.warp && last.block_until == release.block_until &&
        last.warp_until == release.warp_until && last.since == 0) {
      last.lanes |= release.lanes;  // another lane made the same release
      return;
    }
  }
  of_block.push_back(static_cast<std::uint32_t>(known.releases.size()));
  known.releases.push_back(release);
  Keep();
}

void RaceFlags::ReleaseOnly(std::uint64_t flag, std::uint32_t block, std::uint32_t warp,
                            LaneMask lanes, Epoch since, Epoch until) {
  if (full() || out_of_budget_) return;
  Keep();
  Flag& known = FlagOf(flag, block);
  known.of_block[block].push_back(static_cast<std::uint32_t>(known.releases.size()));
  known.releases.push_back({.block = block,
                            .warp = warp,
                            .lanes = lanes,
                            .warp_until = until,
                            .since = since,
                            .at = until});
}

void RaceFlags::Acquire(std::uint64_t flag, std::uint32_t block, std::uint32_t thread, Epoch now,
                        FlagAccess access) {
  const auto found = flags_.find(flag);
  if (found == flags_.end() || full() || out_of_budget_) return;
  const std::uint32_t warp = thread / kLanes;
  AcquiresOfBlock& own = acquired_[block];
  const auto [place, added] =
      own.places.try_emplace({&found->second, warp, access}, own.all.size());
  if (added) {
    own.all.push_back({.flag = &found->second,
                       .is_shared = IsShared(flag),
                       .warp = warp,
                       .access = access,
                       .later = {}});
    Keep();
  }
  FlagAcquires& acquired = own.all[place->second];
  acquired.lanes |= Bit(thread % kLanes);
  acquired.at = now;
  const std::size_t releases = found->second.releases.size();
  if (!acquired.later.empty() && acquired.later.back().releases == releases) return;
  if (kept_acquires_ == kMost && !acquired.later.empty()) {
    // The record is not exact any more: it may miss a race, but never report a false one.
    acquired.later.back().releases = releases;
    return;
  }
  acquired.later.push_back({.releases = releases, .at = now});
  if (kept_acquires_ < kMost) ++kept_acquires_;
}

std::size_t RaceFlags::SeenBefore(const FlagAcquires& acquired, Epoch until) {
  const auto after =
      std::lower_bound(acquired.later.begin(), acquired.later.end(), until,
                       [](const LaterAcquire& look, Epoch at) { return look.at < at; });
  return after == acquired.later.begin() ? 0 : std::prev(after)->releases;
}

Epoch RaceFlags::AcquiredBefore(const FlagAcquires& acquired, const BlockClock& clock) {
  if (!acquired.access.beyond_block) return 0;
  if (acquired.access.orders) return std::numeric_limits<Epoch>::max();
  return std::max(clock.floor, clock.acquired[acquired.warp]);
}

Epoch RaceFlags::ReleasedBefore(const FlagAcquires& acquired, const ThreadId& from, Epoch epoch,
                                const ThreadId& to, const BlockClock& clock, bool* whole) {
  if (from.block == to.block) return ReleasedInBlock(acquired, from, epoch, to, whole);
  const auto releases = acquired.flag->of_block.find(from.block);
  if (releases == acquired.flag->of_block.end()) return 0;
  const std::vector<std::uint32_t>& all = releases->second;
  const std::size_t seen = SeenBefore(acquired, AcquiredBefore(acquired, clock));
  *whole = true;
  // The latest release comes first: most queries ask for what was released a short while ago.
  for (auto next = std::ranges::lower_bound(all, seen); next != all.begin();) {
    if (!SpendStep()) return 0;
    const ReleaseRecord& release = acquired.flag->releases[*--next];
    if (epoch < release.block_until) return release.block_until;
  }
  return 0;
}

Epoch RaceFlags::ReleasedInBlock(const FlagAcquires& acquired, const ThreadId& from, Epoch epoch,
                                 const ThreadId& to, bool* whole) {
  const bool same_warp = from.warp() == to.warp();
  if (acquired.warp != to.warp()) return 0;
  if (same_warp && (acquired.lanes & Bit(to.lane())) == 0) return 0;
  const auto releases = acquired.flag->of_block.find(from.block);
  if (releases == acquired.flag->of_block.end()) return 0;
  const std::vector<std::uint32_t>& all = releases->second;
  auto next = std::upper_bound(all.begin(), all.end(), acquired.at, [&](Epoch at, std::uint32_t i) {
    return at < acquired.flag->releases[i].at;
  });
  while (next != all.begin()) {
    if (!SpendStep()) return 0;
    const ReleaseRecord& release = acquired.flag->releases[*--next];
    *whole = !same_warp && release.since == 0;
    if (release.warp != from.warp() || epoch < release.since) continue;
    if (epoch >= release.warp_until) continue;
    if (!same_warp || (release.lanes & Bit(from.lane())) != 0) return release.warp_until;
  }
  return 0;
}

bool RaceFlags::Ordered(const ThreadId& from, Epoch epoch, const ThreadId& to,
                        const BlockClock& clock) {
  const auto found = acquired_.find(to.block);
  if (found == acquired_.end()) return false;
  if (!SpendStep()) return true;  // the order is unknown; the checker reports the limit
  const bool same_block = from.block == to.block;
  const auto name = [&](const ThreadId& id) {
    return std::uint64_t{id.block} << 32 | (same_block ? id.warp() + 1 : 0);
  };
  const Pair pair{name(from), name(to)};
  Answers& answers = same_block ? ordered_in_block_[to.block] : ordered_;
  if (const auto known = answers.find(pair); known != answers.end() && epoch < known->second) {
    return true;
  }
  for (const FlagAcquires& acquired : found->second.all) {
    if (!SpendStep()) return true;
    bool whole = false;
    const Epoch until = ReleasedBefore(acquired, from, epoch, to, clock, &whole);
    if (until == 0) continue;
    if (whole) answers[pair] = std::max(answers[pair], until);
    return true;
  }
  if (out_of_budget_) return true;
  if (same_block) return false;
  const Epoch until = ReleasedThroughOthers(from.block, epoch, to.block, clock);
  if (until != 0) answers[pair] = std::max(answers[pair], until);
  return until != 0 || out_of_budget_;
}

// Walks back from `to` over the releases that it has acquired, to those that their blocks had
// acquired before they released.
Epoch RaceFlags::ReleasedThroughOthers(std::uint32_t from, Epoch epoch, std::uint32_t to,
                                       const BlockClock& clock) {
  // For each block, the epoch before which all that it did happens before what `to` does now.
  std::map<std::uint32_t, Epoch> known{{to, std::numeric_limits<Epoch>::max()}};
  std::vector<std::uint32_t> open{to};
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    const auto found = acquired_.find(block);
    if (found == acquired_.end()) continue;
    const Epoch until = known[block];
    for (const FlagAcquires& acquired : found->second.all) {
      // The fence of a release of another block stands behind what that block saw before it.
      if (!acquired.access.beyond_block) continue;
      const std::size_t seen =
          SeenBefore(acquired, block == to ? AcquiredBefore(acquired, clock) : until);
      for (std::size_t i = 0; i < seen; ++i) {
        if (!SpendStep()) return 0;
        const ReleaseRecord& release = acquired.flag->releases[i];
        if (release.block == from && epoch < release.block_until) return release.block_until;
        if (known.size() >= kMostSteps && !known.contains(release.block)) continue;
        Epoch& best = known[release.block];
        if (release.block_until <= best) continue;
        best = release.block_until;
        open.push_back(release.block);
      }
    }
  }
  return 0;
}

}  // namespace warpcheck::emulator
