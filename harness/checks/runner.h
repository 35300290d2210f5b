// Carries out planned calls of the submission: in a sandboxed submission host, each on a device of
// its own (device_source.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/device_source.h"
#include "checks/plan.h"
#include "checks/submission_hosts.h"
#include "checks/trial.h"
#include "checks/trial_device.h"
#include "device/launch_record.h"
#include "remote/session.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// What the calls of a submission have used up of its budget: shares of each of its parts, which may
// be one together. So it is one budget, whatever it is used for.
class Spending {
 public:
  // What calls in turn, with the limits that were set for them, have done. `host_time`: of their
  // host, as far as anybody has looked at it. A call that was stopped at a limit has used all of
  // it, whatever was counted: the same program gets the same verdict.
  void Add(const std::vector<Trial>& trials, const CallLimits& limits,
           const remote::Requests& requests, std::chrono::milliseconds host_time);

  // What it was used up by, "12,000,000 bytes moved (40 %) and 12.0 s on the host, waiting included
  // (60 %)"; nothing where a further call may be made.
  std::optional<std::string> Exhausted(const SubmissionBudget& budget) const;

  // What a further call may ask for.
  remote::Requests LeftOf(const SubmissionBudget& budget) const;

 private:
  double ShareOf(const SubmissionBudget& budget) const;

  std::uint64_t instructions_ = 0;
  remote::Requests requests_;
  std::chrono::milliseconds host_time_{0};
};

class Runner {
 public:
  struct Settings {
    std::filesystem::path shared_object;
    std::filesystem::path submission_host;
    std::vector<std::string> student_sources;  // as in the PTX's .file table; empty: every file
    std::string header{};  // of the assignment, where the parameters of its functions have names
  };

  // `sandbox` and `devices` outlive the runner.
  Runner(Settings settings, sandbox::Sandbox& sandbox, DeviceSource& devices);

  // Makes the calls one after the other in one submission host, on one device, and gives a trial of
  // each, up to the first that does not return or that breaks the device. Each may use the limits,
  // but for the host's time, which is that of all together. A fault of the harness ends the running
  // case (case_log.h). Once all calls have used up the submission's budget, later ones are not
  // made: Trial::stopped_early. A host that the machine ended is tried once more; then nobody is
  // judged (case_log.h).
  // `other_data` gives the same calls with arrays of other values, and is asked where a call has
  // read something from the device and then asked for more: what it asks for with these is compared
  // (HostTraffic::differs). Arguments that are no arrays stay as they are.
  using Plans = std::vector<std::shared_ptr<const Plan>>;
  std::vector<Trial> CallSubmission(const Plans& plans, const CallLimits& limits,
                                    const std::function<Plans()>& other_data = {});

  // Makes the calls of a trial again, as often as its device needs, to count what its launches did.
  // trial.later is not null.
  std::vector<LaunchRecord> CountLaunches(const Trial& trial);

 private:
  // The path without the folder that all student sources share.
  std::string ShortName(const std::string& path) const;
  void Shorten(std::vector<Finding>& findings) const;
  void Shorten(Trial& trial) const;

  std::vector<Trial> CallOnDevice(const Plans& plans, const CallLimits& limits);
  void CompareWithOtherData(const Plans& plans, const CallLimits& limits,
                            const std::function<Plans()>& other_data, std::vector<Trial>& trials);
  // `spending`: what it is charged to.
  std::vector<Trial> CallInHost(const Plans& plans, const CallLimits& limits, Device& device,
                                TrialLog& log, Spending& spending);
  void CountLater(const Plans& plans, const CallLimits& limits, std::vector<Trial>& trials);
  Result<LaunchRecord> CountLaunch(const LaterCounts& what, std::size_t launch);

  Settings settings_;
  SubmissionHosts hosts_;
  DeviceSource& devices_;
  Spending spending_;
  std::size_t room_for_launches_ = TrialLog::kRoom;
};

}  // namespace warpcheck
