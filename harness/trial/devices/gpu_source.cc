#include "trial/devices/gpu_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ptx/student_lines.h"

namespace warpcheck {
namespace {

// A kernel that is timed runs several times, so its limit is longer by this factor.
constexpr int kTimedFactor = 6;
// The time after which a witness is given up. It may be short, because the emulator judges.
constexpr std::chrono::milliseconds kWitnessLaunchLimit{5'000};

}  // namespace

// Starts the processes that most gradings need at the same time, because a process needs a third of
// a second or more to get a GPU.
GpuSource::GpuSource(Settings settings) : settings_(std::move(settings)) {
  next_ = remote::DeviceProcess::Start(TrialCommand());
  if (settings_.use == Settings::Use::kJudge) {
    first_launch_ = remote::DeviceProcess::Start(LaunchCommand(0));
  }
}

std::vector<std::string> GpuSource::TrialCommand() const {
  using Use = Settings::Use;
  const std::string host = settings_.gpu_host.string();
  if (settings_.use == Use::kLines) return {host, "--counting", "none"};
  if (settings_.use == Use::kSpeed) return {host, "--time-once", "--red-zone", "0"};
  if (settings_.use == Use::kResults) return {host, "--counting", "none", "--red-zone", "0"};
  // To measure how busy the GPU is takes a dozen runs of each kernel, four seconds of a grade on an
  // H200.
  if (settings_.use == Use::kWitness) {
    return {host, "--counting", "totals", "--timed", "--red-zone", "0"};
  }
  return {host, "--counting", "totals", "--timed", "--use"};
}

std::vector<std::string> GpuSource::LaunchCommand(std::uint32_t launch) const {
  return {settings_.gpu_host.string(), "--counting", "lines", "--launch",
          fmt::format("{}", launch)};
}

Result<GpuSource::Process> GpuSource::TrialProcess() {
  if (idle_) return std::exchange(idle_, nullptr);
  auto started = WARPCHECK_TRY(next_ ? *std::exchange(next_, std::nullopt)
                                     : remote::DeviceProcess::Start(TrialCommand()));
  WARPCHECK_TRY(started->device().Await(kGpuStartLimit));
  return Process(std::move(started));
}

std::chrono::milliseconds GpuSource::LaunchLimit(const CallLimits& limits) const {
  if (IsWitness()) {
    return std::min(kWitnessLaunchLimit, limits.launch_time);
  }
  return settings_.use == Settings::Use::kJudge ? kTimedFactor * limits.launch_time
                                                : limits.launch_time;
}

Result<std::string> GpuSource::Name() {
  idle_ = WARPCHECK_TRY(TrialProcess());
  return idle_->device().Properties().name;
}

Result<DeviceSource::Device> GpuSource::ForTrial(const CallLimits& limits, DeviceLog& log) {
  Process process = WARPCHECK_TRY(TrialProcess());
  process->device().BeginTrial(log, LaunchLimit(limits));
  remote::DeviceClient* const device = &process->device();
  return Device(device, [this, process](warpcheck::Device*) {
    if (process->device().EndTrial()) {
      idle_ = process;
    } else {
      next_ = remote::DeviceProcess::Start(TrialCommand());
    }
  });
}

Result<DeviceSource::Device> GpuSource::ForLaunch(std::uint32_t launch, const CallLimits& limits,
                                                  DeviceLog& log) {
  const bool ahead = launch == 0 && first_launch_;
  const Process process =
      WARPCHECK_TRY(ahead ? *std::exchange(first_launch_, std::nullopt)
                          : remote::DeviceProcess::Start(LaunchCommand(launch)));
  WARPCHECK_TRY(process->device().Await(kGpuStartLimit));
  if (settings_.is_student_file) {
    process->device().FilterPtx([this](std::string_view ptx) {
      return ptx::AtStudentLines(ptx, settings_.is_student_file);
    });
  }
  process->device().BeginTrial(log, limits.launch_time);
  return Device(&process->device(), [this, process](warpcheck::Device*) {
    (void)process->device().EndTrial();
    if (!first_launch_) first_launch_ = remote::DeviceProcess::Start(LaunchCommand(0));
  });
}

}  // namespace warpcheck
