// The device of one trial, or of trials that follow each other, with the arrays of their calls in
// its memory, and a record of what happens on it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provenance/watched_device.h"
#include "trial/devices/trial_log.h"
#include "trial/plan.h"
#include "trial/trial.h"

namespace warpcheck {

class TrialDevice {
 public:
  // `device` is empty and tells `log`; both outlive this. Ends the running case (case_log.h) where
  // the arrays do not fit.
  TrialDevice(const std::vector<std::shared_ptr<const Plan>>& plans, Device& device, TrialLog& log);
  TrialDevice(const TrialDevice&) = delete;
  TrialDevice& operator=(const TrialDevice&) = delete;

  WatchedDevice& watched() { return watched_; }
  // The next of the calls begins: its arrays hold what they start with, or what earlier calls made
  // of them.
  void BeginCall();
  // Of the plan's arrays.
  std::vector<DeviceAddress> AddressesOf(const Plan& plan) const;

  // Before the call of `plan`: its arrays are called what its function's parameters are called in
  // `header` (text.h).
  void NameArrays(const Plan& plan, std::string_view header);

  // After the call of trial.plan: gives it the arrays, as they were left before and are now, and
  // the record since the last time. Once for each plan, in turn. Where earlier calls have changed
  // arrays, the trial gets a plan that starts from them.
  void MoveInto(Trial& trial);

 private:
  struct Array {
    DeviceAddress address = 0;
    std::shared_ptr<const ArrayStart> now;  // what it holds between calls
    std::size_t first_call = 0;
    std::size_t last_call = 0;
  };
  void Place(const Plan& plan, std::size_t call);
  DeviceAddress MemoryFor(std::uint64_t bytes, bool elsewhere);
  void Fill(const Array& array);
  SharedBytes Contents(const Array& array);
  void KeepForLaterCalls();

  TrialLog& log_;
  Device& device_;
  WatchedDevice watched_;
  const std::vector<std::shared_ptr<const Plan>> plans_;
  std::size_t call_ = 0;                                       // the one that is next, or under way
  std::map<std::shared_ptr<const ArrayStart>, Array> arrays_;  // by how they were made
  std::multimap<std::uint64_t, DeviceAddress> left_;  // memory of earlier calls, by its size
};

}  // namespace warpcheck
