#include "trial/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "remote/server.h"
#include "sandbox/watchdog.h"
#include "trial/case_log.h"
#include "trial/recount.h"

namespace warpcheck {

namespace {

bool Endless(const LaunchRecord& launch) { return launch.error == DeviceError::kLaunchTimeout; }

// The number of times that calls are made when the machine ends their host. If the machine ended
// the whole jail, the next host, which was started ahead of time, has ended too. Therefore two
// tries are not enough.
constexpr int kMaxTries = 3;

[[noreturn]] void HarnessFault(const Error& error) {
  StopCase(
      MakeFailure(ComplaintKind::kMachineFault, Verdict::kHarnessFault, error.message, error.hint));
}

// Decides how long to wait for a host, by how much it works.
class HostWatch {
 public:
  explicit HostWatch(SubmissionHost& host) : host_(host), watchdog_(*host.process, host.limits) {}

  remote::MayWait MayWait() {
    return [this](remote::Clock::duration passed, remote::Clock::duration quiet) {
      using std::chrono::microseconds;
      return watchdog_.GoOn({.passed = std::chrono::duration_cast<microseconds>(passed),
                             .quiet = std::chrono::duration_cast<microseconds>(quiet)});
    };
  }

  // Ends the host, after its last call ended in this way.
  const sandbox::Ending& End(remote::CallEnd end) {
    if (end == remote::CallEnd::kDisconnected) return host_.process->Wait();
    return host_.process->End(end == remote::CallEnd::kGivenUp ? watchdog_.cause()
                                                               : sandbox::Cause::kStopped);
  }

  // Returns the processor time that the host was seen to use, and the time in which it chose to
  // wait. A call that ends before the first look has used little time.
  std::chrono::milliseconds used() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(watchdog_.ran() +
                                                                 watchdog_.idle());
  }

 private:
  SubmissionHost& host_;
  sandbox::Watchdog watchdog_;
};

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

// Returns `plans` with the arrays of `others` in the places where type and size are equal.
Runner::Plans OnOtherData(const Runner::Plans& plans, const Runner::Plans& others) {
  using Start = std::shared_ptr<const ArrayStart>;
  std::map<Start, Start> other_of;
  for (std::size_t i = 0; i < std::min(plans.size(), others.size()); ++i) {
    const std::size_t arrays = std::min(plans[i]->arrays.size(), others[i]->arrays.size());
    for (std::size_t j = 0; j < arrays; ++j) {
      const Start& mine = plans[i]->arrays[j];
      const Start& other = others[i]->arrays[j];
      if (mine->type == other->type && mine->bytes.size() == other->bytes.size()) {
        other_of.emplace(mine, other);
      }
    }
  }
  Runner::Plans on_other_data;
  for (const auto& plan : plans) {
    auto copy = std::make_shared<Plan>(*plan);
    for (Start& start : copy->arrays) {
      if (const auto other = other_of.find(start); other != other_of.end()) start = other->second;
    }
    on_other_data.push_back(std::move(copy));
  }
  return on_other_data;
}

bool AnyLaunch(const std::vector<Trial>& trials, bool (*holds)(const LaunchRecord&)) {
  return std::ranges::any_of(
      trials, [&](const Trial& trial) { return std::ranges::any_of(trial.launches, holds); });
}

// Returns whether a kernel did not end within its limit.
bool NeverEnded(const std::vector<Trial>& trials) { return AnyLaunch(trials, &Endless); }

// Returns whether a kernel failed so that the device accepts no more requests.
bool Faulted(const std::vector<Trial>& trials) {
  return AnyLaunch(trials, [](const LaunchRecord& launch) { return IsSticky(launch.error); });
}

}  // namespace

Runner::Runner(Settings settings, sandbox::Sandbox& sandbox, DeviceSource& devices)
    : settings_(std::move(settings)),
      hosts_({settings_.submission_host, settings_.shared_object}, sandbox),
      devices_(devices),
      budget_use_(settings_.shortage) {}

std::vector<Trial> Runner::CallInHost(const Plans& plans, const CallLimits& limits, Device& device,
                                      TrialLog& log, BudgetUse& use) {
  TrialDevice trial_device(plans, device, log);
  auto started = hosts_.Next(limits.host_time);
  if (!started) HarnessFault(started.error());
  SubmissionHost& host = *started;
  HostWatch watch(host);
  std::vector<Trial> trials;
  remote::Requests requests;
  {
    remote::Server server(host.socket.Release(), trial_device.watched());
    for (const auto& plan : plans) {
      Trial& trial = trials.emplace_back(NewTrial(plan));
      trial.earlier_calls = trials.size() - 1;
      devices_.RenewBudget(
          InstructionsIn(settings_.shortage, plan->instructions.value_or(limits.instructions)));
      trial_device.BeginCall();
      trial.limits = host.limits;
      trial_device.NameArrays(*plan, settings_.header);
      const remote::Call call = MakeCall(*plan, trial_device);
      trial.outcome = server.Run(call, watch.MayWait(), use.Remaining(limits.submission));
      if (trial.outcome.end == remote::CallEnd::kReturned &&
          !remote::HasHostArrays(trial.outcome, call)) {
        trial.outcome = {.end = remote::CallEnd::kProtocolError,
                         .text = "it sent no arrays of the right sizes"};
      }
      trial_device.MoveInto(trial);
      trial.instructions = std::max(trial.instructions, devices_.Used());
      instructions_ += trial.instructions;
      trial.approximations = devices_.TakeApproximations();
      Shorten(trial);
      if (!trial.returned() || Faulted(trials) || trial.traffic.reset) break;
    }
    requests = server.requests();
  }
  trials.back().ending = watch.End(trials.back().outcome.end);
  std::chrono::milliseconds host_time = watch.used();
  if (devices_.LimitsTime() && NeverEnded(trials)) host_time = limits.host_time;
  use.Add(trials, limits, requests, host_time);
  return trials;
}

std::vector<Trial> Runner::CallOnDevice(const Plans& plans, const CallLimits& limits) {
  for (int tries = 1;; ++tries) {
    TrialLog log(&room_for_launches_);
    const auto device = devices_.ForTrial(limits, log);
    if (!device) HarnessFault(device.error());
    std::vector<Trial> trials = CallInHost(plans, limits, **device, log, budget_use_);
    const Trial& last = trials.back();
    if (last.returned() || !sandbox::IsMachineFault(last.ending.cause)) return trials;
    // A machine that is too busy stays busy for a while. A batch tries again later.
    if (tries == kMaxTries || last.ending.cause == sandbox::Cause::kTooBusy) {
      EndNotGraded(fmt::format("the program that calls {} {}", last.function,
                               last.ending.Text(last.limits)));
    }
  }
}

std::vector<Trial> Runner::CallSubmission(const Plans& plans, const CallLimits& enough,
                                          const std::function<Plans()>& other_data) {
  const CallLimits limits = LimitsIn(settings_.shortage, enough);
  if (const auto exhausted = budget_use_.Exhausted(limits.submission)) {
    std::vector<Trial> none = {NewTrial(plans.front())};
    none.back().stopped_early = true;
    none.back().outcome.text = *exhausted;
    return none;
  }
  std::vector<Trial> trials = CallOnDevice(plans, limits);
  if (other_data) CompareWithOtherData(plans, limits, other_data, trials);
  CountLater(plans, limits, trials);
  return trials;
}

void Runner::CompareWithOtherData(const Plans& plans, const CallLimits& limits,
                                  const std::function<Plans()>& other_data,
                                  std::vector<Trial>& trials) {
  const auto asked = [](const Trial& trial) { return trial.returned() && trial.requests; };
  if (std::ranges::none_of(trials, asked)) return;
  const Plans other_plans = OnOtherData(plans, other_data());
  const std::vector<Trial> others = CallOnDevice(other_plans, limits);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!asked(trials[i])) continue;
    trials[i].other_data = other_plans[i];
    if (i >= others.size() || !others[i].returned()) {
      trials[i].traffic.differs = "does not return";
      continue;
    }
    const auto theirs =
        others[i].requests ? others[i].requests : std::make_shared<const HostRequests>();
    trials[i].traffic.differs = trials[i].requests->DifferenceTo(*theirs).value_or("");
    trials[i].traffic.differs_in_rounds = trials[i].requests->OnlyRepeatsMoreOrLess(*theirs);
  }
}

void Runner::CountLater(const Plans& plans, const CallLimits& limits, std::vector<Trial>& trials) {
  if (devices_.CountsAtOnce()) return;
  std::uint32_t launches = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    auto later = std::make_shared<LaterCounts>();
    later->plans.assign(plans.begin(), plans.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    later->limits = limits;
    later->first_launch = launches;
    launches += trials[i].launched;
    trials[i].later = std::move(later);
  }
}

Result<LaunchRecord> Runner::CountLaunch(const LaterCounts& what, std::size_t launch) {
  TrialLog log;
  const auto device = WARPCHECK_TRY(
      devices_.ForLaunch(what.first_launch + static_cast<std::uint32_t>(launch), what.limits, log));
  BudgetUse free;
  const std::vector<Trial> trials = CallInHost(what.plans, what.limits, *device, log, free);
  if (trials.size() < what.plans.size() || launch >= trials.back().launches.size()) {
    return Fail("the call launches fewer kernels when it is made again");
  }
  return trials.back().launches[launch];
}

std::vector<LaunchRecord> Runner::CountLaunches(const Trial& trial) {
  return Recounted(trial.launches,
                   [&](std::size_t launch) { return CountLaunch(*trial.later, launch); });
}

void Runner::RenewBudget() {
  budget_use_ = BudgetUse(settings_.shortage);
  room_for_launches_ = TrialLog::kRoom;
  instructions_ = 0;
}

std::string Runner::ShortName(const std::string& path) const {
  namespace fs = std::filesystem;
  const auto& sources = settings_.student_sources;
  if (std::ranges::find(sources, path) == sources.end()) return path;
  fs::path folder = fs::path(path).parent_path();
  const auto holds = [](const fs::path& parent, const fs::path& child) {
    return std::ranges::mismatch(parent, child).in1 == parent.end();
  };
  while (folder.has_relative_path() &&
         !std::ranges::all_of(sources, [&](const auto& source) { return holds(folder, source); })) {
    folder = folder.parent_path();
  }
  return fs::path(path).lexically_relative(folder).string();
}

void Runner::Shorten(std::vector<Finding>& findings) const {
  for (Finding& finding : findings) {
    finding.where.file = ShortName(finding.where.file);
    finding.other.file = ShortName(finding.other.file);
    finding.caller.file = ShortName(finding.caller.file);
    if (!finding.gap) continue;
    finding.gap->after.file = ShortName(finding.gap->after.file);
    finding.gap->before.file = ShortName(finding.gap->before.file);
  }
}

void Runner::Shorten(std::vector<LineCounters>& lines) const {
  for (LineCounters& line : lines) line.where.file = ShortName(line.where.file);
}

void Runner::Shorten(Trial& trial) const {
  for (LaunchRecord& launch : trial.launches) {
    Shorten(launch.lines);
    if (launch.arrays) {
      for (ArrayCounters& array : *launch.arrays) Shorten(array.lines);
    }
    Shorten(launch.findings);
  }
  Shorten(trial.findings);
  for (emulator::Approximation& one : trial.approximations) {
    one.where.file = ShortName(one.where.file);
    one.use.file = ShortName(one.use.file);
  }
  if (!trial.host_calls) return;
  auto calls = std::make_shared<HostCalls>(*trial.host_calls);
  for (HostCall& call : calls->calls) call.where.file = ShortName(call.where.file);
  trial.host_calls = std::move(calls);
}

}  // namespace warpcheck
