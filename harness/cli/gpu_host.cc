#include "cli/gpu_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "cli/places.h"
#include "gpu/gpu.h"
#include "process/run_program.h"
#include "remote/device_client.h"

namespace warpcheck {

std::vector<std::string> ListGpus(const std::string& allowed,
                                  const std::filesystem::path& devices) {
  std::vector<std::string> gpus;
  std::istringstream names(allowed);
  for (std::string name; std::getline(names, name, ',');) {
    if (!name.empty()) gpus.push_back(name);
  }
  if (!gpus.empty()) return gpus;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(devices, error)) {
    const std::string name = file.path().filename().string();  // "nvidia0", not "nvidiactl"
    const std::string number = name.starts_with("nvidia") ? name.substr(6) : "";
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) continue;
    gpus.push_back(std::to_string(gpus.size()));  // CUDA counts those that it can open
  }
  if (gpus.empty()) gpus.emplace_back("0");
  return gpus;
}

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

namespace {

// Newer GPUs run it as well.
constexpr int kNewestTarget = 90;

std::string Sentence(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

}  // namespace

Result<GradingPlan> PlanFor(const std::string& wanted) {
  GradingPlan plan;
  if (wanted == "emulator") return plan;
  const bool must = wanted == "gpu";  // whether it can be counted or not
  const auto survey = SurveyByGpuHost(must ? SurveyOf::kProperties : SurveyOf::kCounters);
  if (!survey) {
    if (must) return Fail(survey.error());
    plan.device_remark = "not on a GPU: " + Sentence(survey.error());
    return plan;
  }
  if (survey->no_gpu) {
    if (must) return Fail(*survey->no_gpu);
    if (!survey->name.empty()) {
      plan.device_remark =
          fmt::format("not on the {}: {}", survey->name, Sentence(*survey->no_gpu));
    }
    return plan;
  }
  if (survey->no_counters) {
    plan.device_remark =
        fmt::format("not on the {}: {}", survey->name, Sentence(*survey->no_counters));
    return plan;
  }
  plan.device = "gpu";
  plan.ptx_target = std::min(survey->compute_major * 10 + survey->compute_minor, kNewestTarget);
  return plan;
}

}  // namespace warpcheck
