// Where the devices of trials come from: the emulator in this process, GPUs in others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "checks/call_limits.h"
#include "device/device.h"

namespace warpcheck {

enum class Caller : std::uint8_t { kSubmission, kReference };

// Every device is given for one trial, or for several in turn: it is empty, tells `log`, which
// outlives it, and is given back by dropping it, before the source goes.
class DeviceSource {
 public:
  using Device = std::shared_ptr<warpcheck::Device>;
  virtual ~DeviceSource() = default;

  // What reports call it: "NVIDIA H200". Fails where there is no device.
  virtual Result<std::string> Name() = 0;

  virtual Result<Device> ForTrial(Caller caller, const CallLimits& limits, DeviceLog& log) = 0;
  // The device that was given last may execute so many warp instructions from now on.
  virtual void RenewBudget(std::uint64_t /*instructions*/) {}

  // Whether a kernel that never ends costs the time of CallLimits, not a budget of instructions.
  virtual bool LimitsTime() const { return false; }

  // Whether ForTrial's devices count everything, line by line. If not, ForLaunch's count one launch
  // of the same calls made again: the `launch`-th, from 0, refused ones included.
  virtual bool CountsAtOnce() const { return true; }
  virtual Result<Device> ForLaunch(std::uint32_t launch, const CallLimits& limits, DeviceLog& log);

  // Whether ForTrial's devices see every access outside memory. If not, ForMemcheck's do; its error
  // is why nothing here does.
  virtual bool SeesEveryAccess() const { return true; }
  virtual Result<Device> ForMemcheck(const CallLimits& limits, DeviceLog& log);
};

inline Result<DeviceSource::Device> DeviceSource::ForLaunch(std::uint32_t, const CallLimits&,
                                                            DeviceLog&) {
  return Fail("this device counts at once");
}

inline Result<DeviceSource::Device> DeviceSource::ForMemcheck(const CallLimits&, DeviceLog&) {
  return Fail("this device sees every access");
}

}  // namespace warpcheck
