// GPUs as the devices of trials: processes that hold one each (gpu_host), kept from trial to trial
// while they are healthy.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/device_process.h"
#include "trial/devices/device_source.h"

namespace warpcheck {

// What a process that holds a GPU may take to be ready.
inline constexpr std::chrono::seconds kGpuStartLimit{60};

class GpuSource : public DeviceSource {
 public:
  struct Settings {
    std::filesystem::path gpu_host;
    std::function<bool(std::string_view path)> is_student_file;  // empty: every file is one
    enum class Use {
      kJudge,    // totals and times of each launch, lines where they are asked for
      kWitness,  // totals and times alone; no red zones, and little patience
      kLines,    // lines alone: for many processes at once, as one holds a GPU's totals
    };
    Use use = Use::kJudge;
  };
  explicit GpuSource(Settings settings);

  Result<std::string> Name() override;
  Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) override;

  bool LimitsTime() const override { return true; }
  bool CountsAtOnce() const override { return settings_.use == Settings::Use::kWitness; }
  // Each device is a process of its own.
  Result<Device> ForLaunch(std::uint32_t launch, const CallLimits& limits, DeviceLog& log) override;

 private:
  using Process = std::shared_ptr<remote::DeviceProcess>;
  using Started = std::optional<Result<std::unique_ptr<remote::DeviceProcess>>>;

  std::vector<std::string> TrialCommand() const;
  std::vector<std::string> LaunchCommand(std::uint32_t launch) const;
  Result<Process> TrialProcess();
  std::chrono::milliseconds LaunchLimit(const CallLimits& limits) const;

  Settings settings_;
  Process idle_;          // of ForTrial
  Started next_;          // ahead: the first, and one for each that was lost
  Started first_launch_;  // ahead: most calls launch one kernel
};

}  // namespace warpcheck
