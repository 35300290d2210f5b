#include "cli/gpu_host.h"

#include <chrono>

#include "cli/places.h"
#include "gpu/survey_json.h"
#include "grading/run_program.h"
#include "remote/device_process.h"

namespace warpcheck {
namespace {

constexpr std::chrono::seconds kGreetingLimit{60};
constexpr std::chrono::minutes kLaunchLimit{2};
constexpr std::chrono::seconds kSurveyLimit{60};
constexpr std::size_t kMaxSurvey = 1 << 16;

std::string Program() { return GpuHost().string(); }

}  // namespace

Result<> UseGpuHost(const std::vector<std::string>& arguments, DeviceLog& log,
                    const std::function<Result<>(Device&)>& use) {
  std::vector<std::string> command = {Program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto process = remote::DeviceProcess::Start(command);
  if (!process) return Fail(process.error());
  remote::DeviceClient& device = (*process)->device();
  if (auto ready = device.Await(kGreetingLimit); !ready) return ready;
  device.BeginTrial(log, kLaunchLimit);
  auto used = use(device);
  device.EndTrial();
  return used;
}

Result<gpu::Survey> SurveyByGpuHost(SurveyOf what) {
  std::vector<std::string> arguments = {"--survey"};
  if (what == SurveyOf::kCounters) arguments.insert(arguments.end(), {"--counting", "lines"});
  const auto end = RunProgram({.program = Program(),
                               .arguments = std::move(arguments),
                               .limit = kSurveyLimit,
                               .max_output = kMaxSurvey});
  if (!end) return Fail(end.error());
  return gpu::ParseSurvey(end->output);
}

}  // namespace warpcheck
