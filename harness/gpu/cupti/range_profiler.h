// RangeProfiler measures every launch as a whole with CUPTI's Range Profiler. If the metrics do not
// fit in one pass, CUPTI runs the kernel once for each pass, each time from the same memory. The
// object reserves the GPU's counters from the first Start() until Release() or until it is
// destroyed; no other program or object can use them meanwhile. (SASS metrics do not need these
// counters.)
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {

class RangeProfiler {
 public:
  // `api` must outlive this object. The device's context must be current in every call and in the
  // destructor. `patience` is how long Start() waits for counters that another program uses. If one
  // wait was in vain, it does not wait again.
  RangeProfiler(const CuptiApi& api, CuptiDevice device,
                std::chrono::milliseconds patience = std::chrono::seconds(2))
      : api_(api), device_(device), patience_(patience) {}
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  // Call this once, before the first Start(), with CUPTI's names ("smsp__inst_executed.sum").
  // Leaves out metrics that CUPTI does not know on this chip, and fails if CUPTI knows no metric at
  // all.
  Result<> SetUp(const std::vector<std::string>& metrics);

  // Call these around one launch. Finish() returns the values by metric, or an error that says why
  // they were lost. A value is not finite if CUPTI could not compute it.
  Result<> Start();
  Result<std::map<std::string, double>> Finish();
  // Gives the counters back to others, until the next Start().
  void Release();

 private:
  Result<> ChooseMetrics(const std::vector<std::string>& metrics);
  Result<> MakeConfig();
  Result<> Enable();
  Result<> Configure();
  Result<> Begin();
  Result<> End();
  Result<std::map<std::string, double>> Evaluate();

  const CuptiApi& api_;
  const CuptiDevice device_;
  std::chrono::milliseconds patience_;
  std::string chip_;
  std::vector<std::string> metrics_;  // those that CUPTI knows
  std::vector<const char*> name_pointers_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> config_;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace warpcheck::gpu
