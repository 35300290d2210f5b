// LaunchCounter counts the work of one launch. GpuDevice calls it around each launch, with its
// context current.
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
#include "gpu/cupti/cupti_api.h"
#include "gpu/cupti/range_profiler.h"
#include "gpu/cupti/sass_metrics.h"

namespace warpcheck::gpu {

// The code that was launched.
struct KernelImage {
  std::span<const std::byte> cubin;  // compiled with line information
  std::string_view function;         // the mangled name
};

struct LaunchCounts {
  CounterSet counters;              // the sums; counters that were not measured are not set
  std::vector<LineCounters> lines;  // sorted by file and line; empty if only totals are counted
  std::string missing;              // why some counters are not set; empty if all are set
};

class LaunchCounter {
 public:
  virtual ~LaunchCounter() = default;

  // Call this just before the launch. An error's message and hint tell people why counters are not
  // measured, and how to allow it. After an error in either call the launch counts as not measured.
  virtual Result<> Begin() = 0;
  // Call this after the launch has ended, even if it failed.
  virtual Result<LaunchCounts> End(const KernelImage& image) = 0;
  // Gives the GPU's counters back to others, until the next Begin().
  virtual void Pause() {}
};

// Counts the totals of every launch of a process with CUPTI's Range Profiler. The profiler knows no
// ideal values and no single instructions; LineCounter has the counters that need them.
class TotalsCounter final : public LaunchCounter {
 public:
  // `api` must outlive the counter. The device's context must be current in every call and in the
  // destructor.
  TotalsCounter(const CuptiApi& api, CuptiDevice device) : profiler_(api, device) {}

  Result<> Begin() override;
  Result<LaunchCounts> End(const KernelImage& image) override;
  void Pause() override { profiler_.Release(); }

 private:
  RangeProfiler profiler_;
  std::optional<Result<>> set_up_;  // the result of the setup
};

// Counts one launch by source line with CUPTI's SASS metrics. All counters are exact and the same
// in every run. A process can count only one launch: the one between the first Begin() and its
// End().
class LineCounter final : public LaunchCounter {
 public:
  // `api` must outlive the counter. The device's context must be current in every call and in the
  // destructor.
  LineCounter(const CuptiApi& api, CuptiDevice device) : api_(api), metrics_(api, device) {}

  Result<> Begin() override;
  Result<LaunchCounts> End(const KernelImage& image) override;

 private:
  const CuptiApi& api_;
  SassMetrics metrics_;
};

}  // namespace warpcheck::gpu
