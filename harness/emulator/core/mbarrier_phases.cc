#include "emulator/core/mbarrier_phases.h"

#include <algorithm>
#include <bit>

namespace warpcheck::emulator {

void MbarrierPhases::Arrived(std::uint64_t object, std::uint32_t warp, const Tally& cost,
                             Tally& tally) {
  Phase& phase = phases_[object];
  phase.warps |= std::uint32_t{1} << warp;
  ++phase.arrivals;
  const auto known = std::ranges::find(phase.costs, &tally, &std::pair<Tally*, Tally>::first);
  if (known != phase.costs.end()) {
    known->second += cost;
  } else {
    phase.costs.emplace_back(&tally, cost);
  }
}

void MbarrierPhases::Add(const Phase& phase) {
  for (const auto& [tally, cost] : phase.costs) *tally += cost;
}

bool MbarrierPhases::IsAWait(const Phase& phase) {
  const auto warps = static_cast<std::uint32_t>(std::popcount(phase.warps));
  return warps > 1 && phase.arrivals <= 2 * warps && !phase.numbered;
}

void MbarrierPhases::Ended(std::uint64_t object) {
  const auto found = phases_.find(object);
  if (found == phases_.end()) return;
  if (!IsAWait(found->second)) Add(found->second);
  phases_.erase(found);
}

void MbarrierPhases::Finish() {
  for (const auto& [object, phase] : phases_) Add(phase);
  Clear();
}

}  // namespace warpcheck::emulator
