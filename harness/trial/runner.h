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

#include "device/launch_record.h"
#include "remote/session.h"
#include "sandbox/sandbox.h"
#include "trial/budget_use.h"
#include "trial/devices/device_source.h"
#include "trial/devices/trial_log.h"
#include "trial/plan.h"
#include "trial/submission_hosts.h"
#include "trial/trial.h"
#include "trial/trial_device.h"

namespace warpcheck {

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
  // `use`: what it is charged to.
  std::vector<Trial> CallInHost(const Plans& plans, const CallLimits& limits, Device& device,
                                TrialLog& log, BudgetUse& use);
  void CountLater(const Plans& plans, const CallLimits& limits, std::vector<Trial>& trials);
  Result<LaunchRecord> CountLaunch(const LaterCounts& what, std::size_t launch);

  Settings settings_;
  SubmissionHosts hosts_;
  DeviceSource& devices_;
  BudgetUse budget_use_;
  std::size_t room_for_launches_ = TrialLog::kRoom;
};

}  // namespace warpcheck
