// The launches that a device refuses, with the error that CUDA 13.0 gives on an H200. The runtime
// says little more than cudaErrorInvalidValue, so that the finding says what was asked for, what
// the limit is, and what lifts it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.h"
#include "device/finding.h"

namespace warpcheck {

struct Refusal {
  DeviceError error = DeviceError::kInvalidValue;
  Finding finding;  // kInvalidLaunch
};

// What is known of a kernel before it is launched.
struct LaunchedKernel {
  std::string name;  // demangled
  const KernelInfo& info;
};

// Returns the shared memory of a block, static and dynamic; ~0 where the sum overflows.
constexpr std::uint64_t SharedBytesOfBlock(std::uint64_t fixed, std::uint64_t dynamic) {
  const std::uint64_t sum = fixed + dynamic;
  return sum < fixed ? ~std::uint64_t{0} : sum;
}

Refusal Refuse(const LaunchedKernel& kernel, DeviceError error, const std::string& why);

// What needs no knowledge of the hardware's resources to be refused. nullopt for a launch that may
// be tried.
std::optional<Refusal> CheckLaunch(const LaunchedKernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties);

// Of a cooperative launch, all of whose blocks run at once: `active_blocks` a multiprocessor do.
std::optional<Refusal> CheckCooperation(const LaunchedKernel& kernel, const LaunchRequest& request,
                                        const DeviceProperties& properties,
                                        std::uint32_t active_blocks);

// Where the kernel's registers are known and not an estimate. The driver calls such a launch
// invalid, the runtime says cudaErrorLaunchOutOfResources, as this does.
std::optional<Refusal> CheckRegisters(const LaunchedKernel& kernel, const LaunchRequest& request,
                                      const DeviceProperties& properties);

}  // namespace warpcheck
