// A fresh emulator for every trial.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/device_source.h"

namespace warpcheck {

class EmulatorSource : public DeviceSource {
 public:
  struct Settings {
    std::vector<std::string> student_sources;  // as in the PTX's .file table; empty: every file
    std::optional<std::uint64_t> order_seed;   // permutes the submission's blocks and warps
    bool only_counts = false;                  // looks for no races, nor unwritten memory
  };
  explicit EmulatorSource(Settings settings) : settings_(std::move(settings)) {}

  Result<std::string> Name() override;
  Result<Device> ForTrial(Caller caller, const CallLimits& limits, DeviceLog& log) override;

 private:
  Settings settings_;
};

}  // namespace warpcheck
