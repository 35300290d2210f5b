#include "device/launch_record.h"

#include <algorithm>

#include "device/mistakes.h"

namespace warpcheck {

namespace {

CounterSet Times(const CounterSet& counters, std::uint64_t times) {
  CounterSet product;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    if (const auto value = counters[counter]) product.Set(counter, *value * times);
  }
  return product;
}

void AddLine(std::vector<LineCounters>& lines, const SourceLocation& where,
             const CounterSet& counters) {
  const auto at = std::ranges::lower_bound(lines, where, {}, &LineCounters::where);
  if (at != lines.end() && at->where == where) {
    at->counters += counters;
  } else {
    lines.insert(at, LineCounters{.where = where, .counters = counters});
  }
}

}  // namespace

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
  // A launch that was refused has counted nothing.
  if (more.counters != CounterSet() || more.error == DeviceError::kSuccess) {
    sum.counters += Times(more.counters, times);
  }
  for (const LineCounters& line : more.lines) {
    AddLine(sum.lines, line.where, Times(line.counters, times));
  }
  for (Finding finding : more.findings) {
    finding.count *= times;
    AddFinding(sum.findings, finding);
  }
  if (sum.not_measured.empty()) sum.not_measured = more.not_measured;
  if (sum.unseen.empty()) sum.unseen = more.unseen;
}

}  // namespace warpcheck
