// A DeviceSource makes devices for trials: emulators in this process (emulator_source.h), or GPUs,
// each in a process of its own (gpu_source.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "emulator/record/approximations.h"
#include "trial/devices/call_limits.h"

namespace warpcheck {

// Returns a function that tells whether a path is one of `sources`. If `sources` is empty, returns
// an empty function, which means that every file may be the student's.
std::function<bool(std::string_view path)> IsOneOfSources(const std::vector<std::string>& sources);

// Returns a device that serves one trial, or several trials that follow each other. Its memory is
// empty at first, and it reports to `log`, which must outlive it. To give a device back, destroy
// the pointer before the source is destroyed.
class DeviceSource {
 public:
  using Device = std::shared_ptr<warpcheck::Device>;
  virtual ~DeviceSource() = default;

  // Returns the name of the device for reports, such as "NVIDIA H200". Fails if there is no device.
  virtual Result<std::string> Name() = 0;

  virtual Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) = 0;
  // Allows the last device to execute so many more warp instructions.
  virtual void RenewBudget(std::uint64_t /*instructions*/) {}
  // Returns how much of that budget has been used, including the cost of the launches themselves.
  virtual std::uint64_t Used() const { return 0; }
  // Returns the approximations of the last device that were not taken before. A GPU has none.
  virtual std::vector<emulator::Approximation> TakeApproximations() { return {}; }

  // Returns true if a time limit (CallLimits::launch_time) stops an endless kernel, and false if a
  // limit of instructions does.
  virtual bool LimitsTime() const { return false; }

  // Returns whether the devices of ForTrial count everything, line by line. If not, the calls must
  // be made again on a device of ForLaunch. That device counts launch number `launch`, from 0;
  // launches that are refused have numbers too.
  virtual bool CountsAtOnce() const { return true; }
  virtual Result<Device> ForLaunch(std::uint32_t /*launch*/, const CallLimits& /*limits*/,
                                   DeviceLog& /*log*/) {
    return Fail("this device counts at once");
  }
};

}  // namespace warpcheck
