// Gives a fresh emulator for each trial, one at a time. To save time, modules that an earlier
// emulator has parsed are kept, and so is the memory of checkers that may last.
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
    // Paths as in the .file table of the PTX. If empty, every file counts as the student's.
    std::vector<std::string> student_sources;
    // The seed that draws the order of the submission's blocks and warps.
    std::optional<std::uint64_t> order_seed;
    int target = kDefaultTarget;             // the GPU that is emulated: hardware/generations.h
    std::vector<ModuleResources> modules{};  // what ptxas says of the kernels; empty if unknown
    bool only_counts = false;  // whether to look for neither races nor uses of unwritten memory
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
  // The checkers that are kept from trial to trial (emulator::Checker::lasts).
  std::vector<std::unique_ptr<emulator::Observer>> lasting_;
  emulator::ParsedModules parsed_;
  // Returns the GPU that is emulated; fails if the table has none of that target.
  Result<const GpuGeneration*> Gpu() const;

  // What launches may cost beside their instructions, in all calls of the submission together.
  static constexpr std::uint64_t kOverhead = 600'000'000;
  std::uint64_t given_ = 0;             // the budget of warp instructions that was given last
  std::uint64_t instructions_ = 0;      // what is left of it
  std::uint64_t overhead_ = kOverhead;  // what is left of kOverhead
  std::uint64_t overhead_before_ = kOverhead;  // what was left of it when the budget was given
};

}  // namespace warpcheck
