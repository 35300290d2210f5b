// The devices that parity measures single launches on: each a process of its own.
#pragma once

#include <string>

#include "base/result.h"
#include "parity/plain_launches.h"

namespace warpcheck {

// `device`: "emulator" or "gpu".
parity::UseDevice ParityDevice(const std::string& device);

// What it calls itself, "NVIDIA H200". Fails where this machine has none.
Result<std::string> ParityDeviceName(const std::string& device);

}  // namespace warpcheck
