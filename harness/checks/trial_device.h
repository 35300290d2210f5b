// The device of one trial: fresh, with the arrays of the call in its memory, and a record of what
// happens on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checks/plan.h"
#include "checks/trial.h"
#include "checks/watched_device.h"
#include "emulator/emulator.h"

namespace warpcheck {

class TrialDevice {
 public:
  // Ends the running case (docket.h) where the arrays do not fit.
  TrialDevice(const Plan& plan, emulator::Options options);
  TrialDevice(const TrialDevice&) = delete;
  TrialDevice& operator=(const TrialDevice&) = delete;

  WatchedDevice& watched() { return watched_; }
  // Of the plan's arrays.
  const std::vector<DeviceAddress>& addresses() const { return addresses_; }

  // Reads the arrays back and gives the record away; the last use of this device.
  void MoveInto(Trial& trial);

 private:
  struct Log : DeviceLog {
    void OnLaunch(const LaunchRecord& record) override;
    void OnFinding(const Finding& finding) override;
    void OnPrint(std::string_view text) override;

    std::vector<LaunchRecord> launches;
    std::vector<Finding> findings;
    std::string output;
  };

  const Plan& plan_;
  Log log_;
  std::unique_ptr<Device> device_;
  WatchedDevice watched_;
  std::vector<DeviceAddress> addresses_;
};

}  // namespace warpcheck
