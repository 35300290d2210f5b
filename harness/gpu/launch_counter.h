// Counts what one launch does. GpuDevice calls it around each launch, with its context current.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/counters.h"
#include "device/launch_record.h"
#include "gpu/cupti_api.h"
#include "gpu/range_profiler.h"
#include "gpu/sass_metrics.h"

namespace warpcheck::gpu {

// The code that was launched.
struct KernelImage {
  std::span<const std::byte> cubin;  // with line information
  std::string_view function;         // mangled
};

struct LaunchCounts {
  CounterSet counters;              // what this counter does not measure is not set
  std::vector<LineCounters> lines;  // sorted by file and line; empty for totals alone
  std::string missing;              // why some counters are not set; empty where none is missing
};

class LaunchCounter {
 public:
  virtual ~LaunchCounter() = default;

  // Just before the launch. An error's text and hint are for people: why nothing is measured, and
  // how to allow it. After an error in either call the launch counts as not measured.
  virtual Result<> Begin() = 0;
  // After the launch has ended, also where it failed.
  virtual Result<LaunchCounts> End(const KernelImage& image) = 0;
};

// Counts every launch of a process in total, through CUPTI's Range Profiler. It knows no ideals and
// no single instructions: the counters that need them are LineCounter's.

class TotalsCounter final : public LaunchCounter {
 public:
  // `api` outlives the counter. The device's context is current in every call, destruction too.
  TotalsCounter(const CuptiApi& api, CuptiDevice device) : profiler_(api, device) {}

  Result<> Begin() override;
  Result<LaunchCounts> End(const KernelImage& image) override;

 private:
  RangeProfiler profiler_;
  std::optional<Result<>> set_up_;  // how setting it up went
};

// Counts one launch by source line, through CUPTI's SASS metrics: exact, the same in every run, all
// counters. One launch a process: the one between the first Begin and its End.

class LineCounter final : public LaunchCounter {
 public:
  // `api` outlives the counter. The device's context is current in every call, destruction too.
  LineCounter(const CuptiApi& api, CuptiDevice device) : api_(api), metrics_(api, device) {}

  Result<> Begin() override;
  Result<LaunchCounts> End(const KernelImage& image) override;

 private:
  const CuptiApi& api_;
  SassMetrics metrics_;
};

}  // namespace warpcheck::gpu
