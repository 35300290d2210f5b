// A fresh emulator for every trial, one at a time; the next need not parse what this one has, and
// its checkers keep their memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/device_source.h"
#include "device/kernel_resources.h"
#include "emulator/code/parsed_modules.h"
#include "emulator/core/observer.h"

namespace warpcheck {

class EmulatorSource : public DeviceSource {
 public:
  struct Settings {
    std::vector<std::string> student_sources;  // as in the PTX's .file table; empty: every file
    std::optional<std::uint64_t> order_seed;   // permutes the submission's blocks and warps
    std::vector<ModuleResources> modules{};    // of the submission; none: not known
    bool only_counts = false;                  // looks for no races, nor unwritten memory
  };
  explicit EmulatorSource(Settings settings);

  Result<std::string> Name() override;
  Result<Device> ForTrial(Caller caller, const CallLimits& limits, DeviceLog& log) override;
  void RenewBudget(std::uint64_t instructions) override { instructions_ = instructions; }

 private:
  Settings settings_;
  std::vector<std::unique_ptr<emulator::Observer>> lasting_;  // checkers: emulator::Checker::lasts
  emulator::ParsedModules parsed_;
  std::uint64_t instructions_ = 0;  // left of the limit
};

}  // namespace warpcheck
