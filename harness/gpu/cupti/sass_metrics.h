// SassMetrics measures every machine instruction of one launch with CUPTI's SASS metrics. CUPTI
// records one launch for each process: the first one after Start(). Any number of launches may run
// before it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {

struct InstructionCounts {
  std::string function;      // the mangled name of the kernel, or of a function that it called
  std::uint32_t offset = 0;  // the offset in the function, in bytes
  std::map<std::string_view, std::uint64_t>
      values;  // values by metric; the views are those that Start() was given
};

class SassMetrics {
 public:
  // `api` must outlive this object. The device's context must be current in every call and in the
  // destructor.
  SassMetrics(const CuptiApi& api, CuptiDevice device) : api_(api), device_(device) {}
  ~SassMetrics();
  SassMetrics(const SassMetrics&) = delete;
  SassMetrics& operator=(const SassMetrics&) = delete;

  // Leaves out metrics that CUPTI does not know on this chip. Fails if CUPTI knows no metric at
  // all, or if this process has already recorded a launch.
  Result<> Start(const std::vector<std::string_view>& metrics);
  // Returns the metrics that Start() left out.
  const std::vector<std::string_view>& unknown() const { return unknown_; }

  // Returns the instructions of the launch, in the order of their functions and offsets. Fails if
  // nothing was recorded or records were lost.
  Result<std::vector<InstructionCounts>> Finish();

 private:
  Result<> ChooseMetrics(const std::string& chip, const std::vector<std::string_view>& metrics);
  Result<> Configure();
  Result<> Enable();
  Result<std::vector<InstructionCounts>> Read();
  Result<> Disable();

  const CuptiApi& api_;
  const CuptiDevice device_;
  std::map<std::uint64_t, std::string_view> metrics_;  // metrics by CUPTI's number
  std::vector<std::string_view> unknown_;
  bool configured_ = false;
  bool enabled_ = false;
};

}  // namespace warpcheck::gpu
