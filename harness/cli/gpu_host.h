// A gpu_host process of our own: a GPU, or the emulator in its place, for one launch or a few.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "device/device.h"
#include "gpu/gpu.h"
#include "grading/rubric.h"
#include "results/checks_order.h"

namespace warpcheck {

// Whether this machine may have a GPU: there is a device file of one. Costs nothing.
bool MayHaveGpu();

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

// A plan for the device that is `wanted`: with "emulator" the emulator judges, with "auto" it does
// too and a GPU is its witness, with "gpu" the GPU judges alone, as it does with "auto" where the
// rubric says so. Fails where a GPU has to judge and there is none.
Result<GradingPlan> PlanFor(const std::string& wanted, const Rubric& rubric);

// The right to use the GPU of this machine as a witness, which one process has at a time: several
// at once would time each other out. It ends with the descriptor. Fails where others keep it for 5
// s.
Result<Descriptor> TakeTurnAtGpu();

// What a submission is compiled for so that the GPU of this machine can be a witness: its compute
// capability times 10, at most 90; none where there is no GPU. The error says why one that is there
// cannot be used.
Result<std::optional<int>> PtxTargetForWitness();

}  // namespace warpcheck
