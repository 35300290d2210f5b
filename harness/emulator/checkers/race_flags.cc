#include "emulator/checkers/race_flags.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kMostSteps = 4096;  // blocks that may stand between two in a chain of flags

// What a look at a flag, or at a release, takes from the budget, in warp instructions: about what
// it takes of the processor.
constexpr std::uint64_t kLookCost = 4;

LaneMask Bit(std::uint32_t lane) { return LaneMask{1} << lane; }

}  // namespace

void RaceFlags::BeginLaunch(std::uint64_t* budget) {
  flags_.clear();
  acquired_.clear();
  kept_ = 0;
  budget_ = budget;
}

void RaceFlags::Charge() const { *budget_ -= std::min(*budget_, kLookCost); }

void RaceFlags::Release(std::uint64_t flag, const BlockClock& clock, std::uint32_t thread,
                        Stamp now, bool releases_all) {
  Released release;
  release.block = clock.number;
  release.warp = thread / kLanes;
  release.lanes = Bit(thread % kLanes);
  release.block_until = releases_all ? now : clock.device_fence;
  release.warp_until = releases_all ? now : clock.warp_fence[release.warp];
  release.at = now;
  if (full() || (release.block_until == 0 && release.warp_until == 0)) return;
  Flag& known = flags_[flag];
  std::vector<std::uint32_t>& of_block = known.of_block[release.block];
  if (!of_block.empty()) {
    Released& last = known.releases[of_block.back()];
    if (last.warp == release.warp && last.block_until == release.block_until &&
        last.warp_until == release.warp_until && last.since == 0) {
      last.lanes |= release.lanes;  // nothing new, but from other lanes
      return;
    }
  }
  of_block.push_back(static_cast<std::uint32_t>(known.releases.size()));
  known.releases.push_back(release);
  ++kept_;
}

void RaceFlags::ReleaseOnly(std::uint64_t flag, std::uint32_t block, std::uint32_t warp,
                            LaneMask lanes, Stamp since, Stamp until) {
  if (full()) return;
  ++kept_;
  Flag& known = flags_[flag];
  known.of_block[block].push_back(static_cast<std::uint32_t>(known.releases.size()));
  known.releases.push_back({.block = block,
                            .warp = warp,
                            .lanes = lanes,
                            .warp_until = until,
                            .since = since,
                            .at = until});
}

void RaceFlags::Acquire(std::uint64_t flag, std::uint32_t block, std::uint32_t thread, Stamp now) {
  const auto found = flags_.find(flag);
  if (found == flags_.end() || full()) return;
  const std::uint32_t warp = thread / kLanes;
  Learnt& learnt = acquired_[block];
  const auto [place, added] = learnt.places.try_emplace({&found->second, warp}, learnt.all.size());
  if (added) {
    learnt.all.push_back({.flag = &found->second, .warp = warp});
    ++kept_;
  }
  Acquired& acquired = learnt.all[place->second];
  acquired.lanes |= Bit(thread % kLanes);
  acquired.at = now;
}

bool RaceFlags::Tells(const Acquired& acquired, const ThreadId& from, Stamp stamp,
                      const ThreadId& to) const {
  const bool same_block = from.block == to.block;
  const bool same_warp = same_block && from.warp() == to.warp();
  if (same_block && acquired.warp != to.warp()) return false;
  if (same_warp && (acquired.lanes & Bit(to.lane())) == 0) return false;
  const auto releases = acquired.flag->of_block.find(from.block);
  if (releases == acquired.flag->of_block.end()) return false;
  const std::vector<std::uint32_t>& all = releases->second;
  // The latest first: what is asked for was released a short while ago, most often.
  auto next = std::upper_bound(all.begin(), all.end(), acquired.at, [&](Stamp at, std::uint32_t i) {
    return at < acquired.flag->releases[i].at;
  });
  while (next != all.begin()) {
    Charge();
    const Released& release = acquired.flag->releases[*--next];
    if (!same_block) {
      if (stamp < release.block_until) return true;
      continue;
    }
    if (release.warp != from.warp() || stamp < release.since) continue;
    if (stamp >= release.warp_until) continue;
    if (!same_warp || (release.lanes & Bit(from.lane())) != 0) return true;
  }
  return false;
}

bool RaceFlags::Ordered(const ThreadId& from, Stamp stamp, const ThreadId& to) const {
  const auto found = acquired_.find(to.block);
  if (found == acquired_.end()) return false;
  if (*budget_ == 0) return true;  // the launch ends, and says why
  for (const Acquired& acquired : found->second.all) {
    Charge();
    if (Tells(acquired, from, stamp, to)) return true;
  }
  return from.block != to.block && OrderedInSteps(from.block, stamp, to.block);
}

// A block tells another what it has learnt itself.
bool RaceFlags::OrderedInSteps(std::uint32_t from, Stamp stamp, std::uint32_t to) const {
  std::vector<std::pair<std::uint32_t, Stamp>> open{{to, std::numeric_limits<Stamp>::max()}};
  std::set<std::uint32_t> seen{to};
  while (!open.empty() && seen.size() < kMostSteps) {
    const auto [block, until] = open.back();
    open.pop_back();
    const auto found = acquired_.find(block);
    if (found == acquired_.end()) continue;
    for (const Acquired& acquired : found->second.all) {
      for (const Released& release : acquired.flag->releases) {
        Charge();
        if (release.at > std::min(acquired.at, until)) break;
        if (release.block == from && stamp < release.block_until) return true;
        if (seen.insert(release.block).second)
          open.emplace_back(release.block, release.block_until);
      }
    }
  }
  return false;
}

}  // namespace warpcheck::emulator
