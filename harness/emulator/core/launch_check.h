// Which launches the emulator refuses: those that every device does (device/launch_rules.h), and
// kernels that it cannot run.
#pragma once

#include <cstdint>
#include <optional>

#include "device/launch_rules.h"
#include "emulator/code/decoded_module.h"

namespace warpcheck::emulator {

// nullopt for a launch that may run.
std::optional<Refusal> CheckLaunch(const Kernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties);

// Blocks of the launch that the whole device holds at once.
std::uint64_t ResidentBlocks(const Kernel& kernel, const LaunchRequest& request,
                             const DeviceProperties& properties);

}  // namespace warpcheck::emulator
