#include "run/launch_fold.h"

#include <algorithm>
#include <utility>

#include "device/finding_merge.h"

namespace warpcheck::run {
namespace {

bool SameShape(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes;
}

CounterSet Times(const CounterSet& counters, std::uint64_t times) {
  CounterSet product;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    if (const auto value = counters[counter]) product.Set(counter, *value * times);
  }
  return product;
}

CounterSet Zeros() {
  CounterSet zeros;
  for (std::size_t i = 0; i < kCounterCount; ++i) zeros.Set(static_cast<Counter>(i), 0);
  return zeros;
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

std::string PlainName(std::string_view kernel) {
  // The first bracket outside "(anonymous namespace)".
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::size_t end = 0;
  for (; end < kernel.size(); ++end) {
    if (kernel.substr(end).starts_with(kAnonymous)) end += kAnonymous.size();
    if (end < kernel.size() && (kernel[end] == '<' || kernel[end] == '(')) break;
  }
  std::string_view name = kernel.substr(0, end);
  if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos) {
    name.remove_prefix(colons + 2);
  }
  if (const std::size_t space = name.rfind(' '); space != std::string_view::npos) {
    name.remove_prefix(space + 1);
  }
  return std::string(name);
}

LaunchGroup& LaunchFold::GroupOf(const LaunchRecord& record) {
  const auto known = std::ranges::find_if(
      groups_, [&](const LaunchGroup& group) { return SameShape(group.sum, record); });
  if (known != groups_.end()) return *known;
  LaunchGroup& group = groups_.emplace_back();
  group.sum.kernel = record.kernel;
  group.sum.grid = record.grid;
  group.sum.block = record.block;
  group.sum.shared_bytes = record.shared_bytes;
  group.sum.totals = Zeros();
  return group;
}

void LaunchFold::Add(const LaunchRecord& record, std::uint64_t times) {
  LaunchGroup& group = GroupOf(record);
  group.launches += times;
  LaunchRecord& sum = group.sum;
  if (sum.error == DeviceError::kSuccess) sum.error = record.error;
  // A launch that was refused has counted nothing.
  if (record.totals != CounterSet()) sum.totals += Times(record.totals, times);
  for (const LineCounters& line : record.lines) {
    AddLine(sum.lines, line.where, Times(line.counters, times));
  }
  for (Finding finding : record.findings) {
    finding.count *= times;
    AddFinding(sum.findings, finding);
  }
}

void LaunchFold::Add(LaunchGroup group) {
  const std::uint64_t launches = std::exchange(group.launches, 0);
  Add(group.sum, 1);
  GroupOf(group.sum).launches += launches - 1;
}

}  // namespace warpcheck::run
