// RangeProfiler measures the totals of every launch with CUPTI's Range Profiler. All metrics fit in
// one pass, so a launch needs no second run. The object reserves the GPU's counters from the first
// Start() until it is destroyed; no other program can use them meanwhile. (SASS metrics do not need
// these counters.)
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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

  // Call this once, before the first Start(); the views must stay valid. Leaves out metrics that
  // CUPTI does not know on this chip, and fails if CUPTI knows no metric at all.
  Result<> SetUp(const std::vector<std::string_view>& metrics);
  const std::vector<std::string_view>& unknown() const { return unknown_; }

  // Call these around one launch. Stop() returns the sums over the GPU by metric, or an error that
  // says why they were lost.
  Result<> Start();
  Result<std::map<std::string_view, std::uint64_t>> Finish();

 private:
  Result<> ChooseMetrics(const std::vector<std::string_view>& metrics);
  Result<> MakeConfig();
  Result<> Enable();
  Result<> Configure();
  Result<> Begin();
  Result<> End();
  Result<std::map<std::string_view, std::uint64_t>> Evaluate();
  void Disable();

  const CuptiApi& api_;
  const CuptiDevice device_;
  std::chrono::milliseconds patience_;
  std::string chip_;
  std::vector<std::string_view> metrics_;  // the metrics that CUPTI knows
  std::vector<std::string_view> unknown_;
  std::vector<std::string> names_;  // the names of metrics_ in CUPTI's form
  std::vector<const char*> name_pointers_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> config_;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace warpcheck::gpu
