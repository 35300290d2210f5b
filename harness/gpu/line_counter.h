// Counts one launch by source line, through CUPTI's SASS metrics: exact, the same in every run, all
// counters. One launch a process: the one between the first Begin and its End.
#pragma once

#include "gpu/cupti_api.h"
#include "gpu/launch_counter.h"
#include "gpu/sass_metrics.h"

namespace warpcheck::gpu {

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
