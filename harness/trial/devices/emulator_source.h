// EmulatorSource gives a fresh emulator for each trial, one at a time. To save time, it keeps
// modules that an earlier emulator has parsed, and the memory of checkers that may last.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/kernel_resources.h"
#include "emulator/core/observer.h"
#include "emulator/decode/parsed_modules.h"
#include "emulator/record/approximations.h"
#include "hardware/generations.h"
#include "trial/devices/device_source.h"

namespace warpcheck {

class EmulatorSource : public DeviceSource {
 public:
  struct Settings {
    // The student's files, as paths in the .file table of the PTX. If empty, every file counts as
    // the student's.
    std::vector<std::string> student_sources;
    // The seed that draws the order of the submission's blocks and warps.
    std::optional<std::uint64_t> order_seed;
    // The target of the GPU that is emulated: hardware/generations.h.
    int target = kDefaultTarget;
    std::vector<ModuleResources> modules{};  // ptxas's figures of the kernels; empty if unknown
    bool only_counts = false;  // true to skip the search for races and for uses of unwritten memory
    // These change what runs: emulator::Options::module_for and change_launch.
    std::function<std::shared_ptr<const ptx::Module>(std::string_view ptx)> module_for{};
    std::function<void(LaunchRequest&)> change_launch{};
    // Returns a further observer for the next emulator, which must live as long as this source.
    std::function<emulator::Observer*()> observer{};
    // The most warp instructions of a call, if the call's own limit is higher; 0 for no such limit.
    std::uint64_t most_instructions = 0;
  };
  explicit EmulatorSource(Settings settings);

  Result<std::string> Name() override;
  Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) override;
  void RenewBudget(std::uint64_t instructions) override;
  std::uint64_t Used() const override {
    return given_ - instructions_ + (overhead_before_ - overhead_);
  }
  std::vector<emulator::Approximation> TakeApproximations() override {
    return approximations_.Take();
  }

 private:
  Settings settings_;
  // The checkers that are kept from trial to trial (emulator::Checker::lasts).
  std::vector<std::unique_ptr<emulator::Observer>> lasting_;
  emulator::ParsedModules parsed_;
  emulator::Approximations approximations_;  // of the last emulator
  // Returns the GPU that is emulated. Fails if the table has no GPU for that target.
  Result<const GpuGeneration*> Gpu() const;

  // The cost that launches may have in addition to their instructions, in all calls of the
  // submission together.
  static constexpr std::uint64_t kOverhead = 600'000'000;
  std::uint64_t given_ = 0;             // the budget of warp instructions that was given last
  std::uint64_t instructions_ = 0;      // the part of it that is left
  std::uint64_t overhead_ = kOverhead;  // the part of kOverhead that is left
  // The part of kOverhead that was left when the budget was given.
  std::uint64_t overhead_before_ = kOverhead;
};

}  // namespace warpcheck
