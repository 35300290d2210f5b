// The launches that a device refuses, with the error that CUDA 13.0 gives on an H200: the runtime
// says cudaErrorInvalidValue whatever the reason is, so the finding names it.
#pragma once

#include <optional>

#include "device/device.h"
#include "device/finding.h"
#include "emulator/loaded_module.h"

namespace warpcheck::emulator {

struct Refusal {
  DeviceError error = DeviceError::kInvalidValue;
  Finding finding;  // kInvalidLaunch or kInvalidPtx, with the numbers
};

// nullopt for a launch that may run.
std::optional<Refusal> CheckLaunch(const Kernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties);

// Blocks of the launch that the whole device holds at once.
std::uint64_t ResidentBlocks(const Kernel& kernel, const LaunchRequest& request,
                             const DeviceProperties& properties);

}  // namespace warpcheck::emulator
