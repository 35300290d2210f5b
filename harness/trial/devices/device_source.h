// A source of devices for trials: emulators in this process (emulator_source.h), or GPUs, each in a
// process of its own (gpu_source.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "trial/devices/call_limits.h"

namespace warpcheck {

// Returns a function that tells whether a path is one of `sources`; an empty function if `sources`
// is empty, which means that every file may be the student's.
std::function<bool(std::string_view path)> IsOneOfSources(const std::vector<std::string>& sources);

// A device serves one trial, or several trials that follow each other. Its memory is empty at
// first, and it reports to `log`, which must outlive it. The caller gives a device back by dropping
// the pointer, before the source is destroyed.
class DeviceSource {
 public:
  using Device = std::shared_ptr<warpcheck::Device>;
  virtual ~DeviceSource() = default;

  // Returns the name of the device for reports: "NVIDIA H200". Fails if there is no device.
  virtual Result<std::string> Name() = 0;

  virtual Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) = 0;
  // Lets the device that was given last execute so many more warp instructions.
  virtual void RenewBudget(std::uint64_t /*instructions*/) {}
  // Returns how much of that budget has been used, with the cost of the launches themselves.
  virtual std::uint64_t Used() const { return 0; }

  // Returns whether a kernel that does not end is stopped by time (CallLimits::launch_time), not by
  // its number of instructions.
  virtual bool LimitsTime() const { return false; }

  // Returns whether the devices of ForTrial count everything, line by line. If not, the calls have
  // to be made again on a device of ForLaunch, which counts launch number `launch`, from 0;
  // launches that are refused have numbers too.
  virtual bool CountsAtOnce() const { return true; }
  virtual Result<Device> ForLaunch(std::uint32_t /*launch*/, const CallLimits& /*limits*/,
                                   DeviceLog& /*log*/) {
    return Fail("this device counts at once");
  }
};

}  // namespace warpcheck
