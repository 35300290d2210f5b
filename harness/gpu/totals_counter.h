// Counts every launch of a process in total, through CUPTI's Range Profiler. It knows no ideals and
// no single instructions: the counters that need them are LineCounter's.
#pragma once

#include <optional>

#include "gpu/launch_counter.h"
#include "gpu/range_profiler.h"

namespace warpcheck::gpu {

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

}  // namespace warpcheck::gpu
