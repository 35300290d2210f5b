// UseMeter measures how busy the GPU is during one launch, with CUPTI's Range Profiler. The metrics
// need several passes, so CUPTI runs the kernel several times.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"
#include "device/launch_record.h"
#include "gpu/cupti/cupti_api.h"
#include "gpu/cupti/range_profiler.h"

namespace warpcheck::gpu {

class UseMeter {
 public:
  // `api` must outlive the meter. The device's context must be current in every call and in the
  // destructor.
  UseMeter(const CuptiApi& api, CuptiDevice device) : profiler_(api, device) {}

  // Call this just before the launch. No other profiler may hold the GPU's counters.
  Result<> Begin();
  // Call this after the launch has ended, even if it failed.
  Result<LaunchUse> End();
  // Gives the counters back to others, until the next Begin().
  void Pause() { profiler_.Release(); }

 private:
  RangeProfiler profiler_;
  std::optional<Result<>> set_up_;  // the result of the setup
};

// The type of a function that makes the meter of a context.
using MeterFactory = std::function<Result<std::unique_ptr<UseMeter>>(CUcontext context)>;

}  // namespace warpcheck::gpu
