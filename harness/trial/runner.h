// Runner makes planned calls of the submission's functions: in a sandboxed submission host, on a
// device that is fresh for each group of calls (devices/device_source.h).
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
    // The student's files, as paths in the .file table of the PTX. If empty, every file counts as
    // the student's.
    std::vector<std::string> student_sources;
    std::string header{};  // the text of the assignment's header, which names the parameters
    Shortage shortage = Shortage::kNone;
  };

  // `sandbox` and `devices` must outlive the runner.
  Runner(Settings settings, sandbox::Sandbox& sandbox, DeviceSource& devices);

  // Makes the calls one after the other in one submission host, on one device. Returns a trial of
  // each call, up to the first call that does not return or that breaks the device. `limits` apply
  // to each call, except for the host's time, which all calls share.
  //
  // A fault of the harness ends the running case (case_log.h). Once the submission's budget is used
  // up, calls are no longer made (Trial::stopped_early). If the machine ends a host, the calls are
  // made again; if that does not help, the process ends without a verdict (EndNotGraded).
  //
  // `other_data` returns the same calls with other values in their arrays. It is used if a call has
  // read something back from the device and then made further requests: these are compared with the
  // requests of a second run on the other data (HostTraffic::differs). Arguments that are not
  // arrays stay the same.
  using Plans = std::vector<std::shared_ptr<const Plan>>;
  std::vector<Trial> CallSubmission(const Plans& plans, const CallLimits& limits,
                                    const std::function<Plans()>& other_data = {});

  // Gives the submission its whole budget again.
  void RenewBudget();
  // Returns the warp instructions that calls have executed since then.
  std::uint64_t instructions() const { return instructions_; }

  // Returns the path without the folder that all student sources have in common.
  std::string ShortName(const std::string& path) const;

  // Makes the calls of a trial again, as often as its device needs to count its launches, and
  // returns their records. trial.later must not be null.
  std::vector<LaunchRecord> CountLaunches(const Trial& trial);

 private:
  void Shorten(std::vector<Finding>& findings) const;
  void Shorten(std::vector<LineCounters>& lines) const;
  void Shorten(Trial& trial) const;

  std::vector<Trial> CallOnDevice(const Plans& plans, const CallLimits& limits);
  void CompareWithOtherData(const Plans& plans, const CallLimits& limits,
                            const std::function<Plans()>& other_data, std::vector<Trial>& trials);
  // Adds the work to `use`.
  std::vector<Trial> CallInHost(const Plans& plans, const CallLimits& limits, Device& device,
                                TrialLog& log, BudgetUse& use);
  void CountLater(const Plans& plans, const CallLimits& limits, std::vector<Trial>& trials);
  Result<LaunchRecord> CountLaunch(const LaterCounts& what, std::size_t launch);

  Settings settings_;
  SubmissionHosts hosts_;
  DeviceSource& devices_;
  BudgetUse budget_use_;
  std::size_t room_for_launches_ = TrialLog::kRoom;
  std::uint64_t instructions_ = 0;
};

}  // namespace warpcheck
