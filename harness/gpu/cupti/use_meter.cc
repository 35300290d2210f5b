#include "gpu/cupti/use_meter.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace warpcheck::gpu {
namespace {

// A value of LaunchUse and its metric, which is in percent (Nsight Compute's documentation,
// "Metrics Reference"). `elapsed` relates a rate to the whole launch, `active` to the cycles in
// which the unit had work.
struct UseMetric {
  std::optional<double> LaunchUse::*value;
  const char* name;
};
constexpr std::array kMetrics = {
    UseMetric{&LaunchUse::memory, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::l2, "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::atomics,
              "lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::l1, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::shared,
              "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::constant, "idc__request_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::issue, "sm__inst_executed.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::arithmetic, "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    UseMetric{&LaunchUse::occupancy, "sm__warps_active.avg.pct_of_peak_sustained_active"},
    UseMetric{&LaunchUse::multiprocessors, "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"},
};

// For each instruction that a scheduler issues: the warps that it holds, and those of them that
// wait for a load.
constexpr char kWarps[] = "smsp__average_warps_active_per_issue_active.ratio";
constexpr char kWaitingWarps[] =
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";

}  // namespace

Result<> UseMeter::Begin() {
  if (!set_up_) {
    std::vector<std::string> names = {kWarps, kWaitingWarps};
    for (const UseMetric& metric : kMetrics) names.emplace_back(metric.name);
    set_up_ = profiler_.SetUp(names);
  }
  if (!*set_up_) return *set_up_;
  return profiler_.Start();
}

Result<LaunchUse> UseMeter::End() {
  const auto values = profiler_.Finish();
  if (!values) return tl::unexpected(values.error());
  const auto value = [&](const char* name) -> std::optional<double> {
    const auto found = values->find(name);
    if (found == values->end() || !std::isfinite(found->second)) return std::nullopt;
    return found->second;
  };
  LaunchUse use;
  for (const UseMetric& metric : kMetrics) {
    if (const auto percent = value(metric.name)) use.*metric.value = *percent / 100;
  }
  const auto warps = value(kWarps);
  const auto waiting = value(kWaitingWarps);
  if (warps && waiting && *warps > 0) use.load_waits = *waiting / *warps;
  return use;
}

}  // namespace warpcheck::gpu
