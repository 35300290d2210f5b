// Counts every launch of a process in total, through CUPTI's Range Profiler. All metrics share one
// pass: a launch takes no second run. The profiler knows no ideals; those are LineCounter's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/cupti_api.h"
#include "gpu/launch_counter.h"

namespace warpcheck::gpu {

class TotalsCounter final : public LaunchCounter {
 public:
  // `api` outlives the counter. The device's context is current in every call, destruction too.
  TotalsCounter(const CuptiApi& api, CuptiDevice device) : api_(api), device_(device) {}
  ~TotalsCounter() override;
  TotalsCounter(const TotalsCounter&) = delete;
  TotalsCounter& operator=(const TotalsCounter&) = delete;

  Result<> Begin() override;
  Result<LaunchCounts> End(const KernelImage& image) override;

 private:
  Result<> SetUp();
  Result<> ChooseMetrics(const std::string& chip);
  Result<> MakeConfig();
  Result<> Enable();
  Result<> ClearCounters();
  Result<> Configure();
  Result<> Start();
  Result<> Stop();
  Result<std::vector<double>> Evaluate();

  const CuptiApi& api_;
  const CuptiDevice device_;
  std::optional<Result<>> set_up_;  // what SetUp returned, once it ran

  std::vector<Counter> counters_;     // those that CUPTI knows
  std::vector<std::string> metrics_;  // theirs, in the same order
  std::string missing_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> config_;
  std::vector<std::uint8_t> counter_data_;
};

}  // namespace warpcheck::gpu
