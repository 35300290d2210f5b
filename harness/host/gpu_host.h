// Runs a gpu_host process, which serves a GPU, or the emulator in its place, for one or a few
// launches.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/gpu.h"
#include "remote/device_client.h"

namespace warpcheck {

// Starts a gpu_host with these arguments ("--counting=lines"), calls `use` with its device, and
// ends the process. The device writes to `log`. Fails if there is no GPU, or if `use` fails.
Result<> UseGpuHost(const std::vector<std::string>& arguments, DeviceLog& log,
                    const std::function<Result<>(remote::DeviceClient&)>& use);

// KProperties asks only for the GPU's properties. kCounters also finds out whether the GPU runs a
// kernel and whether its counters may be read, which takes half a second.
enum class SurveyOf { kProperties, kCounters };

// Asks a process of its own what the GPU of this machine offers.
Result<gpu::Survey> SurveyByGpuHost(SurveyOf what);

}  // namespace warpcheck
