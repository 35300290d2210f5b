// This is the table of GPUs that can be emulated, with one row for each compute capability. A
// grading compiles for the target GradingPlan::ptx_target, and that target selects the row.
#pragma once

#include <vector>

#include "device/types.h"
#include "hardware/geometry.h"

namespace warpcheck {

struct GpuGeneration {
  DeviceProperties properties;
  MemoryGeometry memory{};
};

// Ten times the compute capability that kernels are compiled for by default. Newer GPUs run its PTX
// as well.
inline constexpr int kDefaultTarget = 90;

// Returns the GPU of compute capability target / 10, or null if the table has no such row.
const GpuGeneration* GpuFor(int target);

// Returns the targets of the table, ascending.
std::vector<int> GpuTargets();

// Returns the GPU of kDefaultTarget.
const GpuGeneration& DefaultGpu();

}  // namespace warpcheck
