// GPUs as the devices of trials: processes that hold one each (gpu_host), kept from trial to trial
// while they are healthy.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/device_source.h"
#include "checks/memcheck.h"
#include "remote/device_client.h"

namespace warpcheck {

class GpuSource : public DeviceSource {
 public:
  struct Settings {
    std::filesystem::path gpu_host;
    std::optional<std::filesystem::path> compute_sanitizer;      // none: no memcheck
    Error no_memcheck;                                           // why none, and how to have it
    std::function<bool(std::string_view path)> is_student_file;  // empty: every file is one
    // Neither totals nor times: for many processes at once, as one alone can hold a GPU's counters.
    bool lines_alone = false;
  };
  explicit GpuSource(Settings settings);

  Result<std::string> Name() override;
  Result<Device> ForTrial(Caller caller, const CallLimits& limits, DeviceLog& log) override;

  bool LimitsTime() const override { return true; }
  bool CountsAtOnce() const override { return false; }
  // Times the launch as well. Each device is a process of its own.
  Result<Device> ForLaunch(std::uint32_t launch, const CallLimits& limits, DeviceLog& log) override;

  bool SeesEveryAccess() const override { return false; }
  Result<Device> ForMemcheck(const CallLimits& limits, DeviceLog& log) override;

 private:
  using Process = std::shared_ptr<remote::DeviceProcess>;
  using Started = std::optional<Result<std::unique_ptr<remote::DeviceProcess>>>;

  std::vector<std::string> TrialCommand() const;
  std::vector<std::string> LaunchCommand(std::uint32_t launch) const;
  Result<Process> TrialProcess();

  Settings settings_;
  std::optional<Memcheck> memcheck_;
  Process idle_;          // of ForTrial
  Started next_;          // ahead: the first, and one for each that was lost
  Started first_launch_;  // ahead: most calls launch one kernel
};

}  // namespace warpcheck
