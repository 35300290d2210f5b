// ActivityClock tells how long kernels have run, by CUPTI's activity records. These have the times
// of the kernel alone, without the latency of the launch (CUPTI documentation, "CUPTI Activity
// API").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "base/result.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {

class ActivityClock {
 public:
  // Starts to record. Call this before the process makes a context, so that no kernel is missed. A
  // process has only one clock at a time, because CUPTI's callbacks have no place for state. `api`
  // must outlive it.
  static Result<std::unique_ptr<ActivityClock>> Start(const CuptiApi& api);
  ~ActivityClock();
  ActivityClock(const ActivityClock&) = delete;
  ActivityClock& operator=(const ActivityClock&) = delete;

  // Returns the microseconds that all kernels since the last call have run. They must have ended
  // (cuCtxSynchronize). Fails if CUPTI has recorded none of them, or one without its time.
  Result<double> Take();

 private:
  explicit ActivityClock(const CuptiApi& api) : api_(api) {}

  static void OnRequest(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
  static void OnComplete(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                         std::size_t size, std::size_t valid);
  void Read(std::uint8_t* buffer, std::size_t valid);

  const CuptiApi& api_;
  std::mutex mutex_;  // a thread of CUPTI may return buffers
  std::uint64_t ns_ = 0;
  std::size_t kernels_ = 0;
  std::size_t without_time_ = 0;
};

// A function that returns what ActivityClock::Take() does, or why there is no clock.
using TakeKernelTime = std::function<Result<double>()>;
// Starts the clock of this process with the CUPTI that LoadCupti() finds.
TakeKernelTime StartKernelTimes();

}  // namespace warpcheck::gpu
