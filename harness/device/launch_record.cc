#include "device/launch_record.h"

#include <algorithm>

namespace warpcheck {

const AccessExample* WorstExample(const LineCounters& line,
                                  bool (*shows)(const AccessExample& example)) {
  const auto worst = std::ranges::find_if(line.examples, [&](const AccessExample& example) {
    return shows(example) && example.Excess() > 0;
  });
  return worst == line.examples.end() ? nullptr : &*worst;
}

bool SameShape(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes;
}

void AddLaunch(LaunchRecord& sum, const LaunchRecord& more, std::uint64_t times) {
  if (sum.error == DeviceError::kSuccess) sum.error = more.error;
  // A refused launch has no counters.
  if (more.counters != CounterSet() || more.error == DeviceError::kSuccess) {
    sum.counters += more.counters * times;
  }
  for (const LineCounters& line : more.lines) {
    const CounterSet counters = line.counters * times;
    const auto at = std::ranges::lower_bound(sum.lines, line.where, {}, &LineCounters::where);
    if (at != sum.lines.end() && at->where == line.where) {
      at->counters += counters;
    } else if (sum.lines.size() < LaunchRecord::kMostLinesOfASum) {
      sum.lines.insert(at, {.where = line.where, .counters = counters});
    } else if (sum.lines.front().where.known()) {
      sum.lines.insert(sum.lines.begin(), {.where = {}, .counters = counters});
    } else {
      sum.lines.front().counters += counters;
    }
  }
  for (Finding finding : more.findings) {
    finding.count *= times;
    AddFinding(sum.findings, finding);
  }
  if (sum.not_measured.empty()) sum.not_measured = more.not_measured;
  if (sum.unseen.empty()) sum.unseen = more.unseen;
}

}  // namespace warpcheck
