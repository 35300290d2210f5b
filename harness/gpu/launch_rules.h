// The launches that are refused, and why: the driver says an error's number, people need theirs.
#pragma once

#include <cstdint>
#include <optional>

#include "device/device.h"
#include "gpu/gpu_module.h"

namespace warpcheck::gpu {

struct Refusal {
  DeviceError error = DeviceError::kInvalidValue;
  Finding finding;  // kInvalidLaunch, with the numbers
};

// What needs no driver to be refused. nullopt for a launch that may be tried.
std::optional<Refusal> CheckLaunch(const GpuKernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties);

// Why the driver refused a launch with `result`. `active_blocks`: of these that a multiprocessor
// holds at a time.
Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks);

}  // namespace warpcheck::gpu
