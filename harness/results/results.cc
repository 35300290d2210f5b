#include "results/results.h"

#include <algorithm>

namespace warpcheck {

const CaseTimeline* ChecksReport::TimelineToShow() const {
  if (timelines.empty()) return nullptr;
  const auto costs = std::ranges::find_if(
      timelines, [](const CaseTimeline& one) { return !one.timeline.costs.empty(); });
  return costs == timelines.end() ? &timelines.front() : &*costs;
}

}  // namespace warpcheck
