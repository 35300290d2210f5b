#include "hardware/measured_limiter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpcheck {
namespace {

// A unit that is busy for this share of the launch limits it. Nsight Compute calls a kernel bound
// by latency if all its units are below ("Speed of Light", 60 %).
constexpr double kBusy = 0.6;
// If the multiprocessors have warps for less than this share of the launch, the rest of the launch
// limits it: its start, its end, and the multiprocessors without a block.
constexpr double kMostlyThere = 0.6;
// If warps wait for loads for this share of their time, no other reason can be as common as two of
// the others together.
constexpr double kMostlyLoads = 0.4;
// A unit with a smaller share is not worth a word.
constexpr double kWorthNaming = 0.1;

struct Unit {
  Limiter resource = Limiter::kMemory;
  double share = 0;
};

// Returns the units that the GPU tells, the busiest first. Of units with the same share, the one
// that says most comes first: wavefronts of shared memory are work of the L1 cache too, and issued
// instructions and constant memory are work of a multiprocessor.
std::vector<Unit> UnitsOf(const LaunchUse& use) {
  const std::array<std::pair<Limiter, std::optional<double>>, 8> all = {
      {{Limiter::kMemory, use.memory},
       {Limiter::kShared, use.shared},
       {Limiter::kConstant, use.constant},
       {Limiter::kIssue, use.issue},
       {Limiter::kAtomics, use.atomics},
       {Limiter::kL2, use.l2},
       {Limiter::kL1, use.l1},
       {Limiter::kArithmetic, use.arithmetic}}};
  std::vector<Unit> units;
  for (const auto& [resource, share] : all) {
    if (share) units.push_back({resource, *share});
  }
  // The shares of a unit and of its part differ a little.
  constexpr double kSame = 0.03;
  std::ranges::stable_sort(units, [](const Unit& a, const Unit& b) { return a.share > b.share; });
  for (std::size_t i = 1; i < units.size(); ++i) {
    const bool is_whole =
        IsOneOf(units[0].resource, Limiter::kL2, Limiter::kL1, Limiter::kArithmetic);
    const bool is_part = !IsOneOf(units[i].resource, Limiter::kMemory, Limiter::kL2, Limiter::kL1,
                                  Limiter::kArithmetic);
    if (is_whole && is_part && units[i].share >= units[0].share - kSame) {
      std::swap(units[0], units[i]);
      break;
    }
  }
  return units;
}

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

std::optional<Limiter> LimiterOf(const LaunchUse& use) {
  const std::vector<Unit> units = UnitsOf(use);
  if (units.empty()) return std::nullopt;
  if (units.front().share >= kBusy) return units.front().resource;
  if (use.multiprocessors && *use.multiprocessors < kMostlyThere) return Limiter::kBlocks;
  if (use.load_waits && *use.load_waits >= kMostlyLoads) return Limiter::kLatency;
  return Limiter::kWaits;
}

LimiterText TextOf(const LaunchUse& use, const CounterSet& counters) {
  const auto limiter = LimiterOf(use);
  if (!limiter) return {};
  const std::vector<Unit> units = UnitsOf(use);
  LimiterText text{.limiter = fmt::format("Limiter (measured): {}", LimiterName(*limiter)),
                   .advice = fmt::format("To do next: {}.", AdviceFor(*limiter, counters))};
  std::size_t next = 0;
  if (*limiter == units.front().resource && units.front().share >= kBusy) {
    text.limiter += fmt::format(", {} of its peak", Percent(units.front().share));
    next = 1;
  } else if (*limiter == Limiter::kLatency) {
    text.limiter +=
        fmt::format(", for which warps wait {} of their time", Percent(*use.load_waits));
  } else if (*limiter == Limiter::kBlocks) {
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
