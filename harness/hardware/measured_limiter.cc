#include "hardware/measured_limiter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hardware/limiter.h"

namespace warpcheck {
namespace {

// A unit that is busy for this share of the launch limits it. Nsight Compute calls a kernel bound
// by latency if all its units are below ("Speed of Light", 60 %).
constexpr double kBusy = 0.6;
// If the multiprocessors have warps for less than this share of the launch, the rest of the launch
// limits it: its start and its end, or the multiprocessors without a block.
constexpr double kMostlyThere = 0.6;
// If warps wait for loads for this share of their time, loads limit the launch. In the labs it is
// 0.5 and more where more warps or more loads at once make a kernel faster (labs `latency` and
// `occupancy`).
constexpr double kMostlyLoads = 0.4;
// A unit with a smaller share is not worth a word.
constexpr double kWorthNaming = 0.1;

struct Unit {
  Limiter resource = Limiter::kMemory;
  double share = 0;
  std::size_t order = 0;  // of units that are as busy, the one with the lowest order comes first
};

// Shares that differ by less are the same: each metric is measured in a run of its own.
constexpr double kSame = 0.03;
// The L1 cache and shared memory are one unit. It is named after shared memory if most of its work
// is wavefronts of shared memory.
constexpr double kMostly = 0.8;

// Returns the units that the GPU tells, the busiest first, without those whose work is that of a
// part that is listed too. Of units that are as busy, the one that says more comes first.
std::vector<Unit> UnitsOf(const LaunchUse& use) {
  const auto is_of = [](std::optional<double> whole, std::optional<double> part) {
    return whole && part && *part >= *whole - kSame;
  };
  const bool l1_is_shared = use.l1 && use.shared && *use.shared >= kMostly * *use.l1;
  const bool l2_is_atomics = is_of(use.l2, use.atomics);
  const bool arithmetic_is_known =
      is_of(use.arithmetic, use.issue) || is_of(use.arithmetic, use.constant);
  std::vector<Unit> units;
  const auto add = [&](Limiter resource, std::optional<double> share) {
    if (share) units.push_back({resource, *share, units.size()});
  };
  add(Limiter::kMemory, use.memory);
  add(Limiter::kShared, use.shared);
  add(Limiter::kConstant, use.constant);
  add(Limiter::kIssue, use.issue);
  add(Limiter::kAtomics, use.atomics);
  if (!l2_is_atomics) add(Limiter::kL2, use.l2);
  if (!l1_is_shared) add(Limiter::kL1, use.l1);
  if (!arithmetic_is_known) add(Limiter::kArithmetic, use.arithmetic);
  std::ranges::stable_sort(units, [](const Unit& a, const Unit& b) { return a.share > b.share; });
  const auto less_busy = std::ranges::find_if(
      units, [&](const Unit& unit) { return unit.share < units.front().share - kSame; });
  std::sort(units.begin(), less_busy,
            [](const Unit& a, const Unit& b) { return a.order < b.order; });
  return units;
}

// Returns true if starting the kernel takes most of the launch.
bool IsMostlyStart(const std::optional<LaunchTiming>& timing) {
  return timing && timing->median_us < 2 * kLaunchMicroseconds;
}

// Returns what limits a launch with these units, which are sorted by UnitsOf() and not empty.
Limiter LimiterOf(const LaunchUse& use, const std::optional<LaunchTiming>& timing,
                  const std::vector<Unit>& units) {
  if (units.front().share >= kBusy) return units.front().resource;
  if (IsMostlyStart(timing)) return Limiter::kLaunch;
  if (use.multiprocessors && *use.multiprocessors < kMostlyThere) {
    return use.with_block && *use.with_block < 1 ? Limiter::kBlocks : Limiter::kLaunch;
  }
  if (use.load_waits && *use.load_waits >= kMostlyLoads) return Limiter::kLatency;
  return Limiter::kWaits;
}

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

std::optional<Limiter> LimiterOf(const LaunchRecord& record) {
  if (!record.use) return std::nullopt;
  const std::vector<Unit> units = UnitsOf(*record.use);
  if (units.empty()) return std::nullopt;
  return LimiterOf(*record.use, record.timing, units);
}

LimiterText TextOf(const LaunchRecord& record) {
  if (!record.use) return {};
  const LaunchUse& use = *record.use;
  const std::vector<Unit> units = UnitsOf(use);
  if (units.empty()) return {};
  const Limiter limiter = LimiterOf(use, record.timing, units);
  LimiterText text{.limiter = fmt::format("Limiter (measured): {}", LimiterName(limiter)),
                   .advice = fmt::format("To do next: {}.", AdviceFor(limiter, record.counters))};
  std::size_t next = 0;
  if (limiter == units.front().resource && units.front().share >= kBusy) {
    text.limiter += fmt::format(", {} of its peak", Percent(units.front().share));
    next = 1;
  } else if (limiter == Limiter::kLatency) {
    text.limiter +=
        fmt::format(", for which warps wait {} of their time", Percent(*use.load_waits));
  } else if (limiter == Limiter::kLaunch && IsMostlyStart(record.timing)) {
    text.limiter += fmt::format("; the launch takes {:.1f} us, and its start alone {:.1f}",
                                record.timing->median_us, kLaunchMicroseconds);
  } else if (IsOneOf(limiter, Limiter::kBlocks, Limiter::kLaunch)) {
    text.limiter += fmt::format("; a multiprocessor has a warp for {} of the launch",
                                Percent(*use.multiprocessors));
  }
  if (next < units.size() && units[next].share >= kWorthNaming) {
    text.limiter += fmt::format("; {}: {}, {}", next == 0 ? "the busiest unit" : "next",
                                LimiterName(units[next].resource), Percent(units[next].share));
  }
  if (use.occupancy) {
    text.limiter += fmt::format("; warps: {} of those that fit", Percent(*use.occupancy));
  }
  text.limiter += '.';
  return text;
}

}  // namespace warpcheck
