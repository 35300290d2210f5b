// Where the devices of trials come from: the emulator in this process, GPUs in others.
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

// Whether a path is one of these sources; empty where there are none, and every file may be one.
std::function<bool(std::string_view path)> IsOneOfSources(const std::vector<std::string>& sources);

// Every device is given for one trial, or for several in turn: it is empty, tells `log`, which
// outlives it, and is given back by dropping it, before the source goes.
class DeviceSource {
 public:
  using Device = std::shared_ptr<warpcheck::Device>;
  virtual ~DeviceSource() = default;

  // What reports call it: "NVIDIA H200". Fails where there is no device.
  virtual Result<std::string> Name() = 0;

  virtual Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) = 0;
  // The device that was given last may execute so many warp instructions from now on.
  virtual void RenewBudget(std::uint64_t /*instructions*/) {}
  // What was used of it since then, with what launches cost beside their instructions.
  virtual std::uint64_t Used() const { return 0; }

  // Whether a kernel that never ends costs the time of CallLimits, not a budget of instructions.
  virtual bool LimitsTime() const { return false; }

  // Whether ForTrial's devices count everything, line by line. If not, ForLaunch's count one launch
  // of the same calls made again: the `launch`-th, from 0, refused ones included.
  virtual bool CountsAtOnce() const { return true; }
  virtual Result<Device> ForLaunch(std::uint32_t /*launch*/, const CallLimits& /*limits*/,
                                   DeviceLog& /*log*/) {
    return Fail("this device counts at once");
  }
};

}  // namespace warpcheck
