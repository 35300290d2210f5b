#include "cli/gpu_host.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "cli/places.h"
#include "gpu/survey.h"
#include "grading/run_program.h"
#include "remote/device_process.h"

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

// The Range Profiler knows no ideals and no lines.
CounterSet WithoutIdeals(const CounterSet& all) {
  CounterSet some;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    const bool ideal = Info(counter).name.ends_with("_ideal");
    if (const auto value = all[counter]; value && !ideal) some.Set(counter, *value);
  }
  return some;
}

}  // namespace

void EmulatedGpuLog::OnLaunch(const LaunchRecord& record) {
  const std::uint32_t index = launches_++;
  LaunchRecord told = record;
  std::erase_if(told.findings, [](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBoundsRead;
  });
  if (options_.counting == gpu::Counting::kLines && index == options_.counted_launch) {
    log_.OnLaunch(told);
    return;
  }
  told.lines.clear();
  if (options_.counting == gpu::Counting::kTotals) {
    told.totals = WithoutIdeals(record.totals);
  } else {
    told.totals = {};
    told.not_measured = options_.counting == gpu::Counting::kLines ? "another launch was counted"
                                                                   : "counters were not asked for";
  }
  log_.OnLaunch(told);
}

parity::UseDevice ParityDevice(const std::string& device) {
  std::vector<std::string> arguments = {"--counting=lines", "--launch=0"};
  if (device == "emulator") arguments.emplace_back("--emulator");
  return [arguments](DeviceLog& log, const std::function<Result<>(Device&)>& use) {
    return UseGpuHost(arguments, log, use);
  };
}

Result<std::string> ParityDeviceName(const std::string& device) {
  if (device == "emulator") return std::string("warpcheck emulator");
  const auto survey = SurveyByGpuHost(SurveyOf::kCounters);
  if (!survey) return Fail(survey.error());
  if (survey->no_gpu) return Fail(*survey->no_gpu);
  if (survey->no_counters) return Fail(*survey->no_counters);
  return survey->name + ", " + survey->driver;
}

}  // namespace warpcheck
