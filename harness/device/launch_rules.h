// These are the rules by which devices refuse launches, with the errors of CUDA 13.0 on an H200.
// The runtime only returns an error like cudaErrorInvalidValue, so the finding names the request,
// the limit, and a remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.h"
#include "device/finding.h"

namespace warpcheck {

struct Refusal {
  DeviceError error = DeviceError::kInvalidValue;
  Finding finding;  // a finding of kind kInvalidLaunch
};

// A kernel that is about to be launched.
struct LaunchedKernel {
  std::string name;  // the demangled name
  const KernelInfo& info;
};

// Returns the shared memory of a block, static and dynamic, or ~0 if the sum overflows.
constexpr std::uint64_t SharedBytesOfBlock(std::uint64_t fixed, std::uint64_t dynamic) {
  const std::uint64_t sum = fixed + dynamic;
  return sum < fixed ? ~std::uint64_t{0} : sum;
}

Refusal Refuse(const LaunchedKernel& kernel, DeviceError error, const std::string& why);

// Checks the rules that do not depend on the resources of a multiprocessor. Returns nothing if the
// launch may be tried.
std::optional<Refusal> CheckLaunch(const LaunchedKernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties);

// Checks that all blocks of a cooperative launch can run at once. A multiprocessor can run
// `active_blocks` of them.
std::optional<Refusal> CheckCooperation(const LaunchedKernel& kernel, const LaunchRequest& request,
                                        const DeviceProperties& properties,
                                        std::uint32_t active_blocks);

// Checks that a block has enough registers. Call it only if the kernel's registers are known
// exactly. It returns cudaErrorLaunchOutOfResources as the runtime does.
std::optional<Refusal> CheckRegisters(const LaunchedKernel& kernel, const LaunchRequest& request,
                                      const DeviceProperties& properties);

}  // namespace warpcheck
