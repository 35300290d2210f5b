// What ended a kernel, as a finding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "device/finding.h"
#include "device/launch_rules.h"
#include "gpu/driver_api.h"
#include "gpu/gpu_module.h"

namespace warpcheck::gpu {

// `result`: what synchronising after the launch gave. `errors`: what the driver wrote to standard
// error meanwhile: of a failed assert, its text, place and thread.
Finding ExplainFault(const DriverApi& api, CUresult result, const std::string& kernel,
                     std::string_view errors);

// Why the driver refused a launch: it says an error's number, people need those of the launch.

// Of a launch that device/launch_rules.h lets through. `active_blocks`: of these that a
// multiprocessor holds at a time.
Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks);

}  // namespace warpcheck::gpu
