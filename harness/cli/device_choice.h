// Which device grades, and what that takes.
#pragma once

#include <string>

#include "base/result.h"

namespace warpcheck {

struct DeviceChoice {
  std::string device = "emulator";  // or "gpu"
  std::string remark;               // why not the GPU, although there is one; empty otherwise
  int ptx_target = 90;              // compute capability * 10 that submissions are compiled for
};

// `wanted`: "auto" takes a GPU whose counters can be read, else the emulator; "gpu" takes any.
// Fails where "gpu" has none.
Result<DeviceChoice> ChooseDevice(const std::string& wanted);

}  // namespace warpcheck
