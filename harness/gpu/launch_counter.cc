#include "gpu/launch_counter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace warpcheck::gpu {

namespace {

bool IsTotal(const CounterInfo& info) { return info.scope == CounterScope::kEvery; }

std::vector<std::string_view> TotalMetrics() {
  std::vector<std::string_view> metrics;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    if (IsTotal(info)) metrics.push_back(info.metric);
  }
  return metrics;
}

}  // namespace

Result<> TotalsCounter::Begin() {
  if (!set_up_) set_up_ = profiler_.SetUp(TotalMetrics());
  if (!*set_up_) return *set_up_;
  return profiler_.Start();
}

Result<LaunchCounts> TotalsCounter::End(const KernelImage&) {
  const auto values = profiler_.Finish();
  if (!values) return Fail(values.error());
  LaunchCounts counts;
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    const auto found = values->find(info.metric);
    if (IsTotal(info) && found != values->end()) {
      counts.totals.Set(static_cast<Counter>(i), found->second);
    } else {
      missing.push_back(info.name);
    }
  }
  if (counts.totals[Counter::kWarpInstructions] == 0U) {
    return Fail("counters were lost: CUPTI saw no instruction of the launch");
  }
  if (!missing.empty()) {
    counts.missing = fmt::format("CUPTI's totals do not tell {}", fmt::join(missing, ", "));
  }
  return counts;
}

}  // namespace warpcheck::gpu
