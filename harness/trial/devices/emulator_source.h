// A fresh emulator for every trial, one at a time; the next need not parse what this one has, and
// its checkers keep their memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/kernel_resources.h"
#include "emulator/core/observer.h"
#include "emulator/decode/parsed_modules.h"
#include "hardware/generations.h"
#include "trial/devices/device_source.h"

namespace warpcheck {

class EmulatorSource : public DeviceSource {
 public:
  struct Settings {
    std::vector<std::string> student_sources;  // as in the PTX's .file table; empty: every file
    std::optional<std::uint64_t> order_seed;   // permutes the submission's blocks and warps
    int target = kDefaultTarget;               // which GPU is emulated: hardware/generations.h
    std::vector<ModuleResources> modules{};    // of the submission; none: not known
    bool only_counts = false;                  // looks for no races, nor unwritten memory
  };
  explicit EmulatorSource(Settings settings);

  Result<std::string> Name() override;
  Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) override;
  void RenewBudget(std::uint64_t instructions) override {
    given_ = instructions_ = instructions;
    overhead_before_ = overhead_;
  }
  std::uint64_t Used() const override {
    return given_ - instructions_ + (overhead_before_ - overhead_);
  }

 private:
  Settings settings_;
  std::vector<std::unique_ptr<emulator::Observer>> lasting_;  // checkers: emulator::Checker::lasts
  emulator::ParsedModules parsed_;
  // Returns the GPU that is emulated; fails if the table has none of that target.
  Result<const GpuGeneration*> Gpu() const;

  // Warp instructions: of the limit, and what is left of them; what launches may cost beside, in
  // all calls of the submission together.
  static constexpr std::uint64_t kOverhead = 600'000'000;
  std::uint64_t given_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t overhead_ = kOverhead;
  std::uint64_t overhead_before_ = kOverhead;
};

}  // namespace warpcheck
