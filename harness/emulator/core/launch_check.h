// Decides which launches the emulator refuses: launches that every device refuses
// (device/launch_rules.h), and launches of kernels that the emulator cannot run.
#pragma once

#include <cstdint>
#include <optional>

#include "device/launch_rules.h"
#include "emulator/decode/decoded_module.h"

namespace warpcheck::emulator {

// Returns why the launch is refused, or nullopt if it may run.
std::optional<Refusal> CheckLaunch(const Kernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties);

// Returns how many blocks of the launch can run on the whole device at once.
std::uint64_t ResidentBlocks(const Kernel& kernel, const LaunchRequest& request,
                             const DeviceProperties& properties);

}  // namespace warpcheck::emulator
