#include "checks/gpu_source.h"

#include <fmt/format.h>

#include <utility>

#include "ptx/student_lines.h"

namespace warpcheck {
namespace {

// Kernels are slower under memcheck, and run many times where they are timed.
constexpr int kMemcheckFactor = 6;
constexpr int kTimedFactor = 6;

}  // namespace

// All that most gradings need start side by side: a GPU takes a process a third of a second or
// more.
GpuSource::GpuSource(Settings settings) : settings_(std::move(settings)) {
  next_ = remote::DeviceProcess::Start(TrialCommand());
  if (!settings_.lines_alone) first_launch_ = remote::DeviceProcess::Start(LaunchCommand(0));
  if (!settings_.compute_sanitizer) return;
  memcheck_.emplace(Memcheck::Settings{.compute_sanitizer = *settings_.compute_sanitizer,
                                       .gpu_host = settings_.gpu_host,
                                       .is_student_file = settings_.is_student_file});
}

std::vector<std::string> GpuSource::TrialCommand() const {
  return {settings_.gpu_host.string(), "--counting", settings_.lines_alone ? "none" : "totals"};
}

std::vector<std::string> GpuSource::LaunchCommand(std::uint32_t launch) const {
  std::vector<std::string> command{settings_.gpu_host.string(), "--counting", "lines", "--launch",
                                   fmt::format("{}", launch)};
  if (!settings_.lines_alone) command.emplace_back("--timed");
  return command;
}

Result<GpuSource::Process> GpuSource::TrialProcess() {
  if (idle_) return std::exchange(idle_, nullptr);
  auto started = WARPCHECK_TRY(next_ ? *std::exchange(next_, std::nullopt)
                                     : remote::DeviceProcess::Start(TrialCommand()));
  WARPCHECK_TRY(started->device().Await(kGpuStartLimit));
  return Process(std::move(started));
}

Result<std::string> GpuSource::Name() {
  idle_ = WARPCHECK_TRY(TrialProcess());
  return idle_->device().Properties().name;
}

Result<DeviceSource::Device> GpuSource::ForTrial(Caller, const CallLimits& limits, DeviceLog& log) {
  Process process = WARPCHECK_TRY(TrialProcess());
  process->device().BeginTrial(log, limits.launch_time);
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
  process->device().BeginTrial(log, kTimedFactor * limits.launch_time);
  return Device(&process->device(), [this, process](warpcheck::Device*) {
    (void)process->device().EndTrial();
    if (!first_launch_) first_launch_ = remote::DeviceProcess::Start(LaunchCommand(0));
  });
}

Result<DeviceSource::Device> GpuSource::ForMemcheck(const CallLimits& limits, DeviceLog& log) {
  if (!memcheck_) return Fail(settings_.no_memcheck);
  return memcheck_->Lease(log, kMemcheckFactor * limits.launch_time);
}

}  // namespace warpcheck
