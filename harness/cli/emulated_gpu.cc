#include "cli/emulated_gpu.h"

#include <algorithm>

namespace warpcheck {
namespace {

// The Range Profiler knows no ideals and no lines.
CounterSet WithoutIdeals(const CounterSet& all) {
  CounterSet some;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    const bool ideal = Info(counter).name.ends_with("_ideal");
    if (const auto value = all[counter]; value && !ideal) some.Set(counter, *value);
  }
  return some;
}

}  // namespace

void EmulatedGpuLog::OnLaunch(const LaunchRecord& record) {
  const std::uint32_t index = launches_++;
  LaunchRecord told = record;
  std::erase_if(told.findings, [](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBoundsRead;
  });
  if (options_.counting == gpu::Counting::kLines && index == options_.counted_launch) {
    log_.OnLaunch(told);
    return;
  }
  told.lines.clear();
  if (options_.counting == gpu::Counting::kTotals) {
    told.totals = WithoutIdeals(record.totals);
  } else {
    told.totals = {};
    told.not_measured = options_.counting == gpu::Counting::kLines ? "another launch was counted"
                                                                   : "counters were not asked for";
  }
  log_.OnLaunch(told);
}

}  // namespace warpcheck
