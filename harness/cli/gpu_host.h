// A gpu_host process of our own: a GPU, or the emulator in its place, for one launch or a few.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "gpu/gpu.h"
#include "results/checks_order.h"

namespace warpcheck {

// The GPUs of this machine that may be used side by side.

// Values of CUDA_VISIBLE_DEVICES, each for one GPU: what the variable allows now, else a number for
// each device file in `devices`, else "0".
std::vector<std::string> ListGpus(const std::string& allowed,
                                  const std::filesystem::path& devices = "/dev");

// Starts a gpu_host with these arguments ("--counting=lines"), calls `use` with its device, which
// tells `log`, and ends the process. Fails where there is no GPU, and where `use` does.
Result<> UseGpuHost(const std::vector<std::string>& arguments, DeviceLog& log,
                    const std::function<Result<>(Device&)>& use);

// kProperties: what the GPU is. kCounters: also whether it runs a kernel and may be counted, which
// takes it half a second.
enum class SurveyOf { kProperties, kCounters };

// What the GPU of this machine offers, found out by a process of its own.
Result<gpu::Survey> SurveyByGpuHost(SurveyOf what);

// A plan for the device that is `wanted`: "auto" takes a GPU whose counters can be read, else the
// emulator; "gpu" takes any. Fails where "gpu" has none.
Result<GradingPlan> PlanFor(const std::string& wanted);

}  // namespace warpcheck
