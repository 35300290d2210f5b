// Collects the costs of each kernel of a program over all its launches, and the findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/launch_record.h"
#include "hardware/limiter.h"
#include "run/journal.h"

namespace warpcheck {

struct KernelCosts {
  std::string name;  // the demangled name
  std::uint64_t launches = 0;
  Dim3 grid;  // grid, block and shared_bytes are those of the first launch
  Dim3 block;
  std::uint64_t shared_bytes = 0;
  // The number of different combinations of grid, block and size of shared memory.
  std::size_t shapes = 0;
  DeviceError error = DeviceError::kSuccess;  // the first error of a launch
  CounterSet counters;
  // The bounds of all launches; nullopt if they are not known for one of them.
  std::optional<LimiterBounds> bounds;
  std::vector<LineCounters> lines;  // sorted by place
};

// Returns the kernels in the order of their first launch.
std::vector<KernelCosts> CostsOf(const std::vector<run::LaunchGroup>& launches);

// Returns how the kernel was launched: "2 launches, grid 8x8, block 32x32".
std::string LaunchesText(const KernelCosts& kernel);

// Returns what limits the kernel by its bounds. Both sentences are empty if it is not known.
LimiterText LimiterTextOf(const KernelCosts& kernel);

// Returns at most `most` lines that lose sectors or wavefronts or diverge, the worst first.
std::vector<LineCounters> WorstLines(const KernelCosts& kernel, std::size_t most);

// Returns the findings of all launches and of the program's use of the runtime, each kind and place
// once.
std::vector<Finding> FindingsOf(const run::ProcessResult& process);

// Returns where a finding was made first, and how often: "first in block (0, 0, 0), ...". The text
// may be empty.
std::string FirstText(const Finding& finding);

// Returns how many findings of all processes say that something is wrong.
std::size_t WrongFindings(const std::vector<run::ProcessResult>& processes);

}  // namespace warpcheck
