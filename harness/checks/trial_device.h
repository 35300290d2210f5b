// The device of one trial, or of trials that follow each other, with the arrays of their calls in
// its memory, and a record of what happens on it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checks/plan.h"
#include "checks/trial.h"
#include "checks/watched_device.h"

namespace warpcheck {

// What a device logs. A submission may launch, err and print without end, so that the record has a
// bound; what counts for a grade has none. The first kDetailed launches of a call are kept one by
// one, later ones are added up, a record for each kernel: no counter and no finding of theirs is
// lost. Findings outside launches are kept kMostOfAKind times a kind, at different places.
struct TrialLog : DeviceLog {
  static constexpr std::size_t kDetailed = 256;
  static constexpr std::size_t kMostOfAKind = 100;

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override;
  void OnPrint(std::string_view text) override;

  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string output;
  std::uint32_t launched = 0;
  std::uint64_t instructions = 0;  // of warps, of these
};

class TrialDevice {
 public:
  // `device` is empty and tells `log`; both outlive this. Ends the running case (docket.h) where
  // the arrays do not fit.
  TrialDevice(const std::vector<std::shared_ptr<const Plan>>& plans, Device& device, TrialLog& log);
  TrialDevice(const TrialDevice&) = delete;
  TrialDevice& operator=(const TrialDevice&) = delete;

  WatchedDevice& watched() { return watched_; }
  // Of the plan's arrays.
  std::vector<DeviceAddress> AddressesOf(const Plan& plan) const;

  // Before the call of `plan`: its arrays are called what its function's parameters are called in
  // `header` (parameter_names.h).
  void NameArrays(const Plan& plan, std::string_view header);

  // After the call of trial.plan: gives it the arrays, as they were left before and are now, and
  // the record since the last time. Once for each plan, in turn.
  void MoveInto(Trial& trial);

 private:
  struct Array {
    DeviceAddress address;
    std::shared_ptr<const ArrayStart> now;  // what it holds between calls
  };
  void Add(const std::shared_ptr<const ArrayStart>& start);
  void KnowNumber(const remote::Argument& argument);
  SharedBytes Contents(const Array& array);
  void KeepForNextCall();

  TrialLog& log_;
  Device& device_;
  WatchedDevice watched_;
  std::size_t calls_left_;
  std::map<std::shared_ptr<const ArrayStart>, Array> arrays_;  // by how they were made
};

}  // namespace warpcheck
