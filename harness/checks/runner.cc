#include "checks/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "checks/docket.h"
#include "checks/memcheck_merge.h"
#include "checks/recount.h"
#include "checks/text.h"
#include "cudart/cudart.h"
#include "remote/server.h"

namespace warpcheck {
namespace {

// After this many calls that never came back, no more are made.
constexpr int kMaxTimeouts = 2;
// A fault costs the process of memcheck too, seconds each: these are enough to name the lines.
constexpr int kMaxExplainedFaults = 3;

[[noreturn]] void HarnessFault(const Error& error) {
  StopCase(Charged(Verdict::kHarnessFault, error.message, error.hint));
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

template <class Holds>
bool AnyLaunch(const std::vector<Trial>& trials, Holds holds) {
  return std::ranges::any_of(
      trials, [&](const Trial& trial) { return std::ranges::any_of(trial.launches, holds); });
}

// A kernel that did not end within its time.
bool NeverEnded(const std::vector<Trial>& trials) {
  return AnyLaunch(trials, [](const LaunchRecord& launch) {
    return launch.error == DeviceError::kLaunchTimeout;
  });
}

// A kernel after which the device takes no more requests.
bool Faulted(const std::vector<Trial>& trials) {
  return AnyLaunch(trials, [](const LaunchRecord& launch) { return IsSticky(launch.error); });
}

}  // namespace

Runner::Runner(Settings settings, sandbox::Sandbox& sandbox, DeviceSource& devices)
    : settings_(std::move(settings)),
      hosts_({settings_.submission_host, settings_.shared_object}, sandbox),
      devices_(devices) {}

std::vector<Trial> Runner::CallInHost(const Plans& plans, const CallLimits& limits, Device& device,
                                      TrialLog& log) {
  TrialDevice trial_device(plans, device, log);
  trial_device.watched().KnowCode(settings_.shared_object);
  auto started = hosts_.Next(limits.host_time);
  if (!started) HarnessFault(started.error());
  SubmissionHost& host = *started;
  std::vector<Trial> trials;
  {
    remote::Server server(host.TakeSocket(), trial_device.watched());
    for (const auto& plan : plans) {
      Trial& trial = trials.emplace_back(NewTrial(plan));
      trial.earlier_calls = trials.size() - 1;
      devices_.RenewBudget(plan->instructions.value_or(limits.instructions));
      trial_device.BeginCall();
      trial.limits = host.limits;
      trial.limits.wall_time = limits.host_time;
      trial.outcome = server.Run(MakeCall(*plan, trial_device), limits.host_time);
      trial_device.MoveInto(trial);
      Shorten(trial);
      if (!trial.returned() || Faulted(trials)) break;
    }
  }
  EndHost(host, trials.back());
  return trials;
}

void Runner::EndHost(SubmissionHost& host, Trial& last) {
  const bool disconnected = last.outcome.end == remote::CallEnd::kDisconnected;
  last.ending = disconnected ? host.process->Wait() : host.process->Stop();
  if (disconnected && last.ending.cause == sandbox::Cause::kSandboxFault) {
    Error error;
    error.message = "the submission host did not start: " + last.ending.stderr_text;
    HarnessFault(error);
  }
}

std::vector<Trial> Runner::CallSubmission(const Plans& plans, const CallLimits& limits) {
  std::vector<Trial> trials;
  if (timeouts_ >= kMaxTimeouts) {
    trials.push_back(NewTrial(plans.front()));
    trials.back().stopped_early = true;
    return trials;
  }
  {
    TrialLog log;
    const auto device = devices_.ForTrial(Caller::kSubmission, limits, log);
    if (!device) HarnessFault(device.error());
    trials = CallInHost(plans, limits, **device, log);
  }
  const Trial& last = trials.back();
  if (last.outcome.end == remote::CallEnd::kTimedOut ||
      last.ending.cause == sandbox::Cause::kWallTime ||
      last.ending.cause == sandbox::Cause::kCpuTime ||
      (devices_.LimitsTime() && NeverEnded(trials))) {
    ++timeouts_;
  }
  Memcheck(plans, limits, trials);
  CountLater(plans, limits, Caller::kSubmission, trials);
  return trials;
}

void Runner::Memcheck(const Plans& plans, const CallLimits& limits, std::vector<Trial>& trials) {
  if (devices_.SeesEveryAccess()) return;
  const auto unseen = [&](const Error& why) {
    for (Trial& trial : trials) trial.unseen = why;
  };
  const auto not_run = [&](std::string_view why) {
    Error error;
    error.message = fmt::format("memcheck was not run: {}", why);
    unseen(error);
  };
  if (!trials.back().returned() || NeverEnded(trials)) return not_run("the call did not end");
  if (Faulted(trials) && explained_faults_++ >= kMaxExplainedFaults) {
    return not_run(fmt::format("it was for {} faults of this submission", kMaxExplainedFaults));
  }
  TrialLog log;
  const auto device = devices_.ForMemcheck(limits, log);
  if (!device) return unseen(device.error());
  const std::vector<Trial> checked = CallInHost(plans, limits, **device, log);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    trials[i].unseen = AddMemcheck(trials[i], i < checked.size() ? checked[i] : Trial());
  }
}

void Runner::CountLater(const Plans& plans, const CallLimits& limits, Caller caller,
                        std::vector<Trial>& trials) {
  if (devices_.CountsAtOnce()) return;
  std::uint32_t launches = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    auto later = std::make_shared<LaterCounts>();
    later->plans.assign(plans.begin(), plans.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    later->limits = limits;
    later->caller = caller;
    later->first_launch = launches;
    launches += trials[i].launched;
    trials[i].later = std::move(later);
  }
}

Trial Runner::CallHere(const std::shared_ptr<const Plan>& plan, Device& device, TrialLog& log) {
  Trial trial = NewTrial(plan);
  TrialDevice trial_device({plan}, device, log);
  trial_device.BeginCall();
  cudart::Attach(&trial_device.watched());
  try {
    plan->invoke(trial_device.AddressesOf(*plan));
    trial.outcome.end = remote::CallEnd::kReturned;
  } catch (const std::exception& exception) {
    trial.outcome = {.end = remote::CallEnd::kException, .text = exception.what(), .last_error = 0};
  }
  trial.outcome.last_error = cudart::TakeLastError();
  cudart::Attach(nullptr);
  trial_device.MoveInto(trial);
  return trial;
}

Trial Runner::CallReference(const std::shared_ptr<const Plan>& plan, const CallLimits& limits) {
  std::vector<Trial> trials;
  {
    TrialLog log;
    const auto device = devices_.ForTrial(Caller::kReference, limits, log);
    if (!device) HarnessFault(device.error());
    trials.push_back(CallHere(plan, **device, log));
  }
  CountLater({plan}, limits, Caller::kReference, trials);
  return std::move(trials.front());
}

Result<LaunchRecord> Runner::CountLaunch(const LaterCounts& what, std::size_t launch) {
  TrialLog log;
  const auto device =
      devices_.ForLaunch(what.first_launch + static_cast<std::uint32_t>(launch), what.limits, log);
  if (!device) return Fail(device.error());
  std::vector<Trial> trials;
  if (what.caller == Caller::kReference) {
    trials.push_back(CallHere(what.plans.front(), **device, log));
  } else {
    trials = CallInHost(what.plans, what.limits, **device, log);
  }
  if (trials.size() < what.plans.size() || launch >= trials.back().launches.size()) {
    return Fail("the call launches fewer kernels when it is made again");
  }
  return trials.back().launches[launch];
}

std::vector<LaunchRecord> Runner::CountLaunches(const Trial& trial) {
  return Recounted(trial.launches,
                   [&](std::size_t launch) { return CountLaunch(*trial.later, launch); });
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

}  // namespace warpcheck
