#include "host/gpu_host.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "host/nvcc.h"
#include "host/places.h"
#include "process/run_program.h"
#include "remote/device_process.h"

namespace warpcheck {
namespace {

constexpr std::chrono::seconds kGreetingLimit{60};
constexpr std::chrono::minutes kLaunchLimit{2};
constexpr std::chrono::seconds kSurveyLimit{60};
constexpr std::size_t kMaxSurvey = 1 << 16;

// Returns the first number in the text that looks like "13.0"; returns nothing if there is no such
// number.
std::optional<std::pair<int, int>> ReleaseIn(const std::string& text) {
  static const re2::RE2 kRelease(R"((\d+)\.(\d+))");
  std::pair<int, int> release;
  if (!re2::RE2::PartialMatch(text, kRelease, &release.first, &release.second)) return std::nullopt;
  return release;
}

// Returns an error if the driver is older than nvcc: a driver compiles PTX of its own release of
// CUDA and of earlier ones (CUDA Compatibility, "PTX").
std::optional<Error> DriverIsOlder(const std::string& driver) {
  const auto nvcc = Nvcc();
  if (!nvcc) return std::nullopt;  // the compilation will report this error
  const std::string version = VersionOf(*nvcc, "release ");
  const auto of_driver = ReleaseIn(driver), of_nvcc = ReleaseIn(version);
  if (!of_driver || !of_nvcc || *of_driver >= *of_nvcc) return std::nullopt;
  return Error{.message = fmt::format(
                   "its driver is for {}, and cannot run what nvcc of CUDA {}.{} compiles", driver,
                   of_nvcc->first, of_nvcc->second),
               .hint = "update the driver, or let CUDA_HOME name an older toolkit"};
}

}  // namespace

Result<> UseGpuHost(const std::vector<std::string>& arguments, DeviceLog& log,
                    const std::function<Result<>(remote::DeviceClient&)>& use) {
  std::vector<std::string> command = {GpuHost().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto process = WARPCHECK_TRY(remote::DeviceProcess::Start(command));
  remote::DeviceClient& device = process->device();
  WARPCHECK_TRY(device.Await(kGreetingLimit));
  device.BeginTrial(log, kLaunchLimit);
  auto used = use(device);
  device.EndTrial();
  return used;
}

Result<gpu::Survey> SurveyByGpuHost(SurveyOf what) {
  std::vector<std::string> arguments = {"--survey"};
  if (what == SurveyOf::kCounters) arguments.insert(arguments.end(), {"--counting", "lines"});
  const auto end = WARPCHECK_TRY(RunProgram({.program = GpuHost().string(),
                                             .arguments = std::move(arguments),
                                             .limit = kSurveyLimit,
                                             .max_output = kMaxSurvey}));
  auto survey = gpu::ParseSurvey(end.output);
  if (survey && !survey->no_gpu) survey->no_gpu = DriverIsOlder(survey->driver);
  return survey;
}

}  // namespace warpcheck
