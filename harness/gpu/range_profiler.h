// CUPTI's Range Profiler: what every launch did in total. All metrics share one pass, a launch
// takes no second run. It holds the GPU's counters from the first Start until it is destroyed:
// meanwhile no other program can have them. (SASS metrics need none, there or here.)
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gpu/cupti_api.h"

namespace warpcheck::gpu {

class RangeProfiler {
 public:
  // `api` outlives this. The device's context is current in every call, destruction too.
  // `patience`: how long Start waits for counters that another program holds; once in vain, never
  // again.
  RangeProfiler(const CuptiApi& api, CuptiDevice device,
                std::chrono::milliseconds patience = std::chrono::seconds(2))
      : api_(api), device_(device), patience_(patience) {}
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  // Once, before the first Start; the views stay valid. Metrics that CUPTI does not know on this
  // chip are left out; fails where it knows none.
  Result<> SetUp(const std::vector<std::string_view>& metrics);
  const std::vector<std::string_view>& unknown() const { return unknown_; }

  // Around one launch. The sums over the GPU by metric, or why they were lost.
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
  std::vector<std::string_view> metrics_;  // those that CUPTI knows
  std::vector<std::string_view> unknown_;
  std::vector<std::string> names_;  // of metrics_, in CUPTI's form
  std::vector<const char*> name_pointers_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> config_;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace warpcheck::gpu
