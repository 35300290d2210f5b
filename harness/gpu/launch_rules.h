// Why the driver refused a launch: it says an error's number, people need those of the launch.
#pragma once

#include <cstdint>

#include "device/launch_rules.h"
#include "gpu/gpu_module.h"

namespace warpcheck::gpu {

// Of a launch that device/launch_rules.h lets through. `active_blocks`: of these that a
// multiprocessor holds at a time.
Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks);

}  // namespace warpcheck::gpu
