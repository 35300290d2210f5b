#include "results/results.h"

#include <cstdint>
#include <utility>

namespace warpcheck {

std::string IdOf(const Complaint& complaint) {
  const std::string name(Name(complaint.kind));
  return complaint.about.empty() ? name : name + ": " + complaint.about;
}

const CaseTimeline* ChecksReport::TimelineToShow() const {
  if (timelines.empty()) return nullptr;
  // A call with little data has few operations, and shows little.
  const auto size_of = [](const CaseTimeline& one) {
    std::uint64_t operations = 0;
    for (const auto& operation : one.timeline.operations) operations += operation.count;
    return std::pair(!one.timeline.costs.empty(), operations);
  };
  const CaseTimeline* shown = &timelines.front();
  for (const CaseTimeline& one : timelines) {
    if (size_of(one) > size_of(*shown)) shown = &one;
  }
  return shown;
}

}  // namespace warpcheck
