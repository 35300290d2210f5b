#include "cli/gpu_host.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <sstream>
#include <thread>
#include <utility>

#include "base/programs.h"
#include "cli/places.h"
#include "gpu/gpu.h"
#include "process/run_program.h"
#include "remote/device_process.h"

namespace warpcheck {

bool MayHaveGpu() {
  if (!Environment("WARPCHECK_GPU_HOST").empty()) return true;  // another program plays the GPU
  std::error_code error;
  // The second one is Windows' way to show a GPU to Linux (WSL 2).
  return std::filesystem::exists("/dev/nvidiactl", error) ||
         std::filesystem::exists("/dev/dxg", error);
}

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
constexpr std::chrono::milliseconds kTurnLimit{5'000};
constexpr std::chrono::milliseconds kTurnStep{20};
constexpr std::size_t kMaxSurvey = 1 << 16;

std::string Program() { return GpuHost().string(); }

// "13.0", the first number like that; nullopt where there is none.
std::optional<std::pair<int, int>> ReleaseIn(const std::string& text) {
  static const re2::RE2 kRelease(R"((\d+)\.(\d+))");
  std::pair<int, int> release;
  if (!re2::RE2::PartialMatch(text, kRelease, &release.first, &release.second)) return std::nullopt;
  return release;
}

// A driver compiles PTX of its own release of CUDA and of earlier ones (CUDA Compatibility, "PTX").
std::optional<Error> DriverIsOlder(const std::string& driver) {
  const auto nvcc = Nvcc();
  if (!nvcc) return std::nullopt;  // whoever compiles says so
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
                    const std::function<Result<>(Device&)>& use) {
  std::vector<std::string> command = {Program()};
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
  const auto end = WARPCHECK_TRY(RunProgram({.program = Program(),
                                             .arguments = std::move(arguments),
                                             .limit = kSurveyLimit,
                                             .max_output = kMaxSurvey}));
  auto survey = gpu::ParseSurvey(end.output);
  if (survey && !survey->no_gpu) survey->no_gpu = DriverIsOlder(survey->driver);
  return survey;
}

namespace {

int PtxTargetFor(const gpu::Survey& survey) {
  return std::min(survey.compute_major * 10 + survey.compute_minor, kDefaultTarget);
}

}  // namespace

Result<GradingPlan> PlanFor(const std::string& wanted, const Rubric& rubric) {
  GradingPlan plan;
  const bool gpu_judges = wanted == "gpu" || (wanted == "auto" && rubric.gpu_judges);
  plan.witness = wanted == "auto" && !gpu_judges;
  if (!gpu_judges) return plan;
  const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kProperties));
  if (survey.no_gpu) return Fail(*survey.no_gpu);
  plan.device = "gpu";
  plan.device_remark =
      "The GPU judged alone: races, uses of memory that nothing has written, and reads outside "
      "the arrays were not looked for.";
  plan.ptx_target = PtxTargetFor(survey);
  return plan;
}

Result<Descriptor> TakeTurnAtGpu() {
  // A name without a file: it is free again as soon as its process has ended, however it did.
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  constexpr std::string_view kName = "warpcheck-witness";
  std::ranges::copy(kName, name.sun_path + 1);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + kName.size());
  Descriptor turn(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  for (auto waited = std::chrono::milliseconds(0); waited < kTurnLimit; waited += kTurnStep) {
    if (::bind(turn.get(), reinterpret_cast<const sockaddr*>(&name), bytes) == 0) return turn;
    if (errno != EADDRINUSE) break;
    std::this_thread::sleep_for(kTurnStep);
  }
  return Fail(errno == EADDRINUSE ? "other gradings use it" : "its turn cannot be taken");
}

Result<std::optional<int>> PtxTargetForWitness() {
  const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kProperties));
  if (!survey.no_gpu) return PtxTargetFor(survey);
  if (survey.name.empty()) return std::nullopt;
  Error why = *survey.no_gpu;
  why.message = fmt::format("{}: {}", survey.name, why.message);
  return Fail(std::move(why));
}

}  // namespace warpcheck
