// Plans a grading for this machine: which device judges, and what kernels are compiled for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "grading/rubric.h"
#include "results/checks_order.h"

namespace warpcheck {

// Returns a plan for the device that is `wanted`:
// - "emulator": the emulator judges;
// - "auto": the emulator judges and a GPU is its witness, unless the rubric lets the GPU judge;
// - "gpu": the GPU judges alone.
// Fails if a GPU must judge and there is no GPU.
Result<GradingPlan> PlanFor(const std::string& wanted, const Rubric& rubric);

// Returns the target that a submission is compiled for so that the GPU of this machine can be a
// witness: its compute capability times 10, at most 90. Returns nothing if there is no GPU. Fails
// if there is a GPU that cannot be used.
Result<std::optional<int>> PtxTargetForWitness();

// Returns a seed for the random inputs that a submission cannot know.
Result<std::uint64_t> RandomSeed();

}  // namespace warpcheck
