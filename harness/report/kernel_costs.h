// What each kernel of a program cost, over all its launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

struct KernelCosts {
  std::string name;  // demangled
  std::uint64_t launches = 0;
  Dim3 grid;  // of the first launch, as block and shared_bytes
  Dim3 block;
  std::uint64_t shared_bytes = 0;
  std::size_t shapes = 0;                     // different grids, blocks and sizes of shared memory
  DeviceError error = DeviceError::kSuccess;  // the first
  CounterSet totals;
  std::vector<LineCounters> lines;  // sorted by place
};

// In the order of their first launch.
std::vector<KernelCosts> CostsOf(const std::vector<run::LaunchGroup>& launches);

// At most `most` lines that lose sectors or wavefronts, or diverge: the worst first. Lines that
// lose nothing are not among them.
std::vector<LineCounters> WorstLines(const KernelCosts& kernel, std::size_t most);

// Of launches and of the program's use of the runtime, each kind and place once.
std::vector<Finding> FindingsOf(const run::ProcessResult& process);

}  // namespace warpcheck
