#include "checks/runner.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "checks/docket.h"
#include "checks/text.h"
#include "checks/trial_device.h"
#include "cudart/cudart.h"
#include "remote/server.h"

namespace warpcheck {
namespace {

// After this many calls that never came back, no more are made.
constexpr int kMaxTimeouts = 2;
// The host waits while the judge emulates; this bounds both together.
constexpr std::chrono::seconds kDeviceTime{120};

[[noreturn]] void HarnessFault(std::string message, std::string hint = {}) {
  StopCase(Charged(Verdict::kHarnessFault, std::move(message), std::move(hint)));
}

Trial NewTrial(std::shared_ptr<const Plan> plan) {
  Trial trial;
  trial.plan = std::move(plan);
  trial.signature = Demangled(trial.plan->function);
  trial.function = trial.signature.substr(0, trial.signature.find('(')) + "()";
  return trial;
}

remote::Call MakeCall(const Plan& plan, const TrialDevice& device) {
  const std::vector<DeviceAddress> addresses = device.AddressesOf(plan);
  remote::Call call{.function = plan.function, .arguments = {}};
  for (const auto& argument : plan.arguments) {
    if (const auto* index = std::get_if<Plan::ArrayIndex>(&argument)) {
      call.arguments.emplace_back(remote::DevicePointer{
          .address = addresses[*index], .bytes = plan.arrays[*index]->bytes.size()});
    } else {
      call.arguments.push_back(std::get<remote::Argument>(argument));
    }
  }
  return call;
}

}  // namespace

Runner::Runner(Settings settings, sandbox::Sandbox& sandbox)
    : settings_(std::move(settings)), sandbox_(sandbox) {}

Runner::Host& Runner::Host::operator=(Host&& other) noexcept {
  std::swap(process, other.process);
  std::swap(socket, other.socket);
  std::swap(limits, other.limits);
  std::swap(host_time, other.host_time);
  return *this;
}

Runner::Host::~Host() {
  if (socket >= 0) close(socket);
}

Runner::Host Runner::StartHost(const CallLimits& limits) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    HarnessFault(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  Host host;
  host.socket = sockets[0];
  host.host_time = limits.host_time;
  const std::filesystem::path program = std::filesystem::absolute(settings_.submission_host);
  const std::filesystem::path object = std::filesystem::absolute(settings_.shared_object);
  sandbox::Command command{.arguments = {program.string(), object.string()},
                           .environment = {},
                           .directory = "/tmp",
                           .mounts = {{program, program}, {object, object}},
                           .inherited_fd = sockets[1],
                           .limits = {}};
  // As a spare it waits for the call before; both device times count.
  command.limits.wall_time = 2 * (limits.host_time + kDeviceTime);
  command.limits.cpu_time =
      std::chrono::ceil<std::chrono::seconds>(limits.host_time) + std::chrono::seconds(1);
  host.limits = command.limits;
  auto process = sandbox_.Start(command);
  close(sockets[1]);
  if (!process) {
    HarnessFault("the submission host did not start: " + process.error().message,
                 process.error().hint);
  }
  host.process = std::move(*process);
  return host;
}

Runner::Host Runner::NextHost(const CallLimits& limits) {
  const bool fits = spare_ && spare_->host_time == limits.host_time;
  Host host = fits ? std::move(*spare_) : StartHost(limits);
  spare_ = StartHost(limits);
  return host;
}

emulator::Options Runner::SubmissionOptions(const CallLimits& limits) const {
  emulator::Options options{.instruction_budget = limits.instructions,
                            .memory_bytes = limits.device_bytes,
                            .order_seed = settings_.order_seed,
                            .is_student_file = {},
                            .observer = nullptr};
  if (!settings_.student_sources.empty()) {
    options.is_student_file = [this](std::string_view path) {
      const auto& sources = settings_.student_sources;
      return std::find(sources.begin(), sources.end(), path) != sources.end();
    };
  }
  return options;
}

std::vector<Trial> Runner::CallSubmission(const std::vector<std::shared_ptr<const Plan>>& plans,
                                          const CallLimits& limits) {
  std::vector<Trial> trials;
  if (timeouts_ >= kMaxTimeouts) {
    trials.push_back(NewTrial(plans.front()));
    trials.back().stopped_early = true;
    return trials;
  }
  TrialDevice device(plans, SubmissionOptions(limits));
  Host host = NextHost(limits);
  {
    remote::Server server(host.TakeSocket(), device.watched());
    for (const auto& plan : plans) {
      Trial& trial = trials.emplace_back(NewTrial(plan));
      trial.limits = host.limits;
      trial.limits.wall_time = limits.host_time;
      trial.outcome = server.Run(MakeCall(*plan, device), limits.host_time);
      device.MoveInto(trial);
      Shorten(trial);
      if (!trial.returned()) break;
    }
  }
  EndHost(host, trials.back());
  return trials;
}

void Runner::EndHost(Host& host, Trial& last) {
  const bool disconnected = last.outcome.end == remote::CallEnd::kDisconnected;
  last.ending = disconnected ? host.process->Wait() : host.process->Stop();
  if (disconnected && last.ending.cause == sandbox::Cause::kSandboxFault) {
    HarnessFault("the submission host did not start: " + last.ending.stderr_text);
  }
  if (last.outcome.end == remote::CallEnd::kTimedOut ||
      last.ending.cause == sandbox::Cause::kWallTime ||
      last.ending.cause == sandbox::Cause::kCpuTime) {
    ++timeouts_;
  }
}

Trial Runner::CallReference(std::shared_ptr<const Plan> plan, const CallLimits& limits) {
  Trial trial = NewTrial(std::move(plan));
  TrialDevice device({trial.plan}, {.instruction_budget = limits.instructions,
                                    .memory_bytes = limits.device_bytes,
                                    .order_seed = {},
                                    .is_student_file = {},
                                    .observer = nullptr});
  cudart::Attach(&device.watched());
  try {
    trial.plan->invoke(device.AddressesOf(*trial.plan));
    trial.outcome.end = remote::CallEnd::kReturned;
  } catch (const std::exception& exception) {
    trial.outcome = {.end = remote::CallEnd::kException, .text = exception.what(), .last_error = 0};
  }
  trial.outcome.last_error = cudart::TakeLastError();
  cudart::Attach(nullptr);
  device.MoveInto(trial);
  return trial;
}

std::string Runner::ShortName(const std::string& path) const {
  namespace fs = std::filesystem;
  const auto& sources = settings_.student_sources;
  if (std::find(sources.begin(), sources.end(), path) == sources.end()) return path;
  fs::path folder = fs::path(path).parent_path();
  const auto holds = [](const fs::path& parent, const fs::path& child) {
    return std::mismatch(parent.begin(), parent.end(), child.begin(), child.end()).first ==
           parent.end();
  };
  while (folder.has_relative_path() &&
         !std::all_of(sources.begin(), sources.end(),
                      [&](const std::string& source) { return holds(folder, source); })) {
    folder = folder.parent_path();
  }
  return fs::path(path).lexically_relative(folder).string();
}

void Runner::Shorten(Trial& trial) const {
  for (LaunchRecord& launch : trial.launches) {
    for (LineCounters& line : launch.lines) line.where.file = ShortName(line.where.file);
    for (Finding& finding : launch.findings) finding.where.file = ShortName(finding.where.file);
  }
  for (Finding& finding : trial.findings) finding.where.file = ShortName(finding.where.file);
}

namespace {

template <class T>
bool HasNan(const ArrayEnd& array) {
  if (array.start->type != typeid(T)) return false;
  for (std::size_t at = 0; at < array.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, array.bytes.data() + at, sizeof(T));
    if (std::isnan(value)) return true;
  }
  return false;
}

}  // namespace

std::string InvalidReference(const Trial& trial) {
  if (!trial.returned()) return "an exception left it: " + trial.outcome.text;
  for (const Finding& finding : trial.AllFindings()) {
    return fmt::format("{}{}{}", finding.where.Text(), finding.where.known() ? ": " : "",
                       finding.message);
  }
  for (const LaunchRecord& launch : trial.launches) {
    if (launch.error != DeviceError::kSuccess) {
      return fmt::format("{}: {}", launch.kernel, CudaErrorName(launch.error));
    }
  }
  if (trial.outcome.last_error != 0) {
    return fmt::format("it leaves {} behind",
                       CudaErrorName(static_cast<DeviceError>(trial.outcome.last_error)));
  }
  for (const ArrayEnd& array : trial.arrays) {
    if (array.start->is_input && array.bytes != array.start->bytes) return "it changes its input";
    if (!array.start->is_input && (HasNan<float>(array) || HasNan<double>(array))) {
      return "it leaves NaN in its output";
    }
  }
  return {};
}

}  // namespace warpcheck
