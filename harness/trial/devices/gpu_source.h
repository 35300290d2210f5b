// GpuSource gives GPUs as the devices of trials. A process (gpu_host) serves each GPU. The process
// is kept from trial to trial while it is healthy.
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

// The time within which a process that serves a GPU must be ready.
inline constexpr std::chrono::seconds kGpuStartLimit{60};

class GpuSource : public DeviceSource {
 public:
  struct Settings {
    std::filesystem::path gpu_host;
    // Tells whether a file is the student's. If empty, every file counts as the student's.
    std::function<bool(std::string_view path)> is_student_file;
    enum class Use {
      kJudge,    // counts totals and times of each launch, and lines if they are needed
      kWitness,  // counts only totals and times, without red zones, with a short time limit
      kResults,  // the same without counters and times, which one process at a time can have
      kLines,    // counts only lines, because one process at a time can count a GPU's totals
      kSpeed,    // counts nothing; runs each launch once and times it, without red zones
    };
    Use use = Use::kJudge;
  };
  explicit GpuSource(Settings settings);

  Result<std::string> Name() override;
  Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) override;

  bool LimitsTime() const override { return true; }
  bool CountsAtOnce() const override {
    return IsWitness() || settings_.use == Settings::Use::kSpeed;
  }
  // Starts a process for each device.
  Result<Device> ForLaunch(std::uint32_t launch, const CallLimits& limits, DeviceLog& log) override;

 private:
  bool IsWitness() const {
    return settings_.use == Settings::Use::kWitness || settings_.use == Settings::Use::kResults;
  }

  using Process = std::shared_ptr<remote::DeviceProcess>;
  using Started = std::optional<Result<std::unique_ptr<remote::DeviceProcess>>>;

  std::vector<std::string> TrialCommand() const;
  std::vector<std::string> LaunchCommand(std::uint32_t launch) const;
  Result<Process> TrialProcess();
  std::chrono::milliseconds LaunchLimit(const CallLimits& limits) const;

  Settings settings_;
  Process idle_;  // a process of ForTrial that no trial uses at present
  // Processes that are started ahead of time. One serves the next trial. The other serves the first
  // launch of the next call that is counted by lines, because most calls launch one kernel.
  Started next_;
  Started first_launch_;
};

}  // namespace warpcheck
