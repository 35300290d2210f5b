#include "emulator/checkers/race_flags.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kMostSteps = 4096;  // blocks that may stand between two in a chain of flags

// Looks at flags and releases that a checker may take in all, and for each warp instruction that
// its kernels have executed. A look takes about as long as an instruction.
constexpr std::uint64_t kFreeLooks = std::uint64_t{1} << 24;
constexpr std::uint64_t kLooksAnInstruction = 8;

LaneMask Bit(std::uint32_t lane) { return LaneMask{1} << lane; }

}  // namespace

void RaceFlags::BeginLaunch(const std::uint64_t* executed) {
  flags_.clear();
  acquired_.clear();
  known_.clear();
  kept_ = 0;
  kept_looks_ = 0;
  executed_ = executed;
}

void RaceFlags::EndLaunch() {
  if (executed_ != nullptr) executed_before_ += *executed_;
  executed_ = nullptr;
}

bool RaceFlags::Look() {
  const std::uint64_t executed = executed_before_ + (executed_ == nullptr ? 0 : *executed_);
  if (++looks_ > kFreeLooks + kLooksAnInstruction * executed) worn_out_ = true;
  return !worn_out_;
}

void RaceFlags::Release(std::uint64_t flag, const BlockClock& clock, std::uint32_t thread,
                        Stamp now, bool releases_all) {
  Released release;
  release.block = clock.number;
  release.warp = thread / kLanes;
  release.lanes = Bit(thread % kLanes);
  release.block_until = releases_all ? now : clock.device_fence;
  release.warp_until = releases_all ? now : clock.warp_fence[release.warp];
  release.at = now;
  if (full() || worn_out_ || (release.block_until == 0 && release.warp_until == 0)) return;
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
  if (full() || worn_out_) return;
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
  if (found == flags_.end() || full() || worn_out_) return;
  const std::uint32_t warp = thread / kLanes;
  Learnt& learnt = acquired_[block];
  const auto [place, added] = learnt.places.try_emplace({&found->second, warp}, learnt.all.size());
  if (added) {
    learnt.all.push_back({.flag = &found->second, .warp = warp, .looks = {}});
    ++kept_;
  }
  Acquired& acquired = learnt.all[place->second];
  acquired.lanes |= Bit(thread % kLanes);
  acquired.at = now;
  const std::size_t releases = found->second.releases.size();
  if (!acquired.looks.empty() && acquired.looks.back().releases == releases) return;
  if (kept_looks_ == kMost) {
    // Not exact any more, and to the kernel's advantage.
    if (!acquired.looks.empty()) acquired.looks.back().releases = releases;
    return;
  }
  acquired.looks.push_back({.releases = releases, .at = now});
  ++kept_looks_;
}

Stamp RaceFlags::Tells(const Acquired& acquired, const ThreadId& from, Stamp stamp,
                       const ThreadId& to, bool* whole) {
  const bool same_block = from.block == to.block;
  const bool same_warp = same_block && from.warp() == to.warp();
  if (same_block && acquired.warp != to.warp()) return 0;
  if (same_warp && (acquired.lanes & Bit(to.lane())) == 0) return 0;
  const auto releases = acquired.flag->of_block.find(from.block);
  if (releases == acquired.flag->of_block.end()) return 0;
  const std::vector<std::uint32_t>& all = releases->second;
  // The latest first: what is asked for was released a short while ago, most often.
  auto next = std::upper_bound(all.begin(), all.end(), acquired.at, [&](Stamp at, std::uint32_t i) {
    return at < acquired.flag->releases[i].at;
  });
  while (next != all.begin()) {
    if (!Look()) return 0;
    const Released& release = acquired.flag->releases[*--next];
    *whole = !same_warp && release.since == 0;
    if (!same_block) {
      if (stamp < release.block_until) return release.block_until;
      continue;
    }
    if (release.warp != from.warp() || stamp < release.since) continue;
    if (stamp >= release.warp_until) continue;
    if (!same_warp || (release.lanes & Bit(from.lane())) != 0) return release.warp_until;
  }
  return 0;
}

bool RaceFlags::Ordered(const ThreadId& from, Stamp stamp, const ThreadId& to) {
  const auto found = acquired_.find(to.block);
  if (found == acquired_.end()) return false;
  if (!Look()) return true;  // nobody knows, and the limit says so
  const bool same_block = from.block == to.block;
  const auto name = [&](const ThreadId& id) {
    return std::uint64_t{id.block} << 32 | (same_block ? id.warp() + 1 : 0);
  };
  const Pair pair{name(from), name(to)};
  if (const auto known = known_.find(pair); known != known_.end() && stamp < known->second) {
    return true;
  }
  for (const Acquired& acquired : found->second.all) {
    if (!Look()) return true;
    bool whole = false;
    const Stamp until = Tells(acquired, from, stamp, to, &whole);
    if (until == 0) continue;
    if (whole) known_[pair] = std::max(known_[pair], until);
    return true;
  }
  if (worn_out_) return true;
  if (same_block) return false;
  const Stamp until = ToldInSteps(from.block, stamp, to.block);
  if (until != 0) known_[pair] = std::max(known_[pair], until);
  return until != 0 || worn_out_;
}

// A block tells another what it has learnt itself: what it saw before it released.
Stamp RaceFlags::ToldInSteps(std::uint32_t from, Stamp stamp, std::uint32_t to) {
  // Of each block: `to` knows what it did before that.
  std::map<std::uint32_t, Stamp> known{{to, std::numeric_limits<Stamp>::max()}};
  std::vector<std::uint32_t> open{to};
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    const auto found = acquired_.find(block);
    if (found == acquired_.end()) continue;
    const Stamp until = known[block];
    for (const Acquired& acquired : found->second.all) {
      const auto after =
          std::lower_bound(acquired.looks.begin(), acquired.looks.end(), until,
                           [](const FirstLook& look, Stamp at) { return look.at < at; });
      if (after == acquired.looks.begin()) continue;
      const std::size_t seen = std::prev(after)->releases;
      for (std::size_t i = 0; i < seen; ++i) {
        if (!Look()) return 0;
        const Released& release = acquired.flag->releases[i];
        if (release.block == from && stamp < release.block_until) return release.block_until;
        if (known.size() >= kMostSteps && !known.contains(release.block)) continue;
        Stamp& best = known[release.block];
        if (release.block_until <= best) continue;
        best = release.block_until;
        open.push_back(release.block);
      }
    }
  }
  return 0;
}

}  // namespace warpcheck::emulator
