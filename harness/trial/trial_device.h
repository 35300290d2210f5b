// TrialDevice is a device with the arrays of planned calls in its memory. The calls are made one
// after the other, and each gives a trial.
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
  // `device` must be empty and report to `log`. Both must outlive this object. Ends the running
  // case (case_log.h) if the arrays do not fit.
  TrialDevice(const std::vector<std::shared_ptr<const Plan>>& plans, Device& device, TrialLog& log);
  TrialDevice(const TrialDevice&) = delete;
  TrialDevice& operator=(const TrialDevice&) = delete;

  WatchedDevice& watched() { return watched_; }
  // Call this before each call. It fills the arrays that no earlier call has used; the others keep
  // the values that earlier calls left there.
  void BeginCall();
  // Returns the addresses of the plan's arrays.
  std::vector<DeviceAddress> AddressesOf(const Plan& plan) const;

  // Gives the arrays of `plan` the names of the function's parameters in the C++ text `header`.
  // Call it before the call.
  void NameArrays(const Plan& plan, std::string_view header);

  // Call this after the call of trial.plan, once for each plan, in turn. It gives the trial its
  // arrays before and after the call, and everything that was logged since the last time. If
  // earlier calls have changed arrays, the trial gets a plan that starts from their new values.
  void MoveInto(Trial& trial);

 private:
  struct Array {
    DeviceAddress address = 0;
    std::shared_ptr<const ArrayStart> now;  // what the memory contains between two calls
    std::size_t first_call = 0;
    std::size_t last_call = 0;
    std::string name;  // the name of the parameter in the call that is made; empty if unknown
  };
  void Place(const Plan& plan, std::size_t call);
  DeviceAddress MemoryFor(std::uint64_t bytes, bool fresh);
  void Fill(const Array& array);
  SharedBytes Contents(const Array& array);
  void KeepForLaterCalls();

  TrialLog& log_;
  Device& device_;
  WatchedDevice watched_;
  const std::vector<std::shared_ptr<const Plan>> plans_;
  std::size_t call_ = 0;  // the index of the call that is being made, or that is made next
  std::map<std::shared_ptr<const ArrayStart>, Array> arrays_;  // arrays by their first contents
  // The memory of arrays that no later call uses, by its size.
  std::multimap<std::uint64_t, DeviceAddress> left_;
};

}  // namespace warpcheck
