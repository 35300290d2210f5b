// What each kernel of a program cost, over all its launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/launch_record.h"
#include "run/journal.h"

namespace warpcheck {

// Counters by source line, over several launches.

// Adds to sums, which are sorted by place, as `more` need not be.
void AddLines(std::vector<LineCounters>& sums, const std::vector<LineCounters>& more);

// The accesses of a line that nvcc has made several instructions of, as one.

struct LineAccess {
  run::AccessSample worst;       // its sums are those of all instructions
  std::size_t instructions = 0;  // of one kernel, line, memory and kind
};

// In the order of their first instruction.
std::vector<LineAccess> LineAccesses(const std::vector<run::AccessSample>& samples);

struct KernelCosts {
  std::string name;  // demangled
  std::uint64_t launches = 0;
  Dim3 grid;  // of the first launch, as block and shared_bytes
  Dim3 block;
  std::uint64_t shared_bytes = 0;
  std::size_t shapes = 0;                     // different grids, blocks and sizes of shared memory
  DeviceError error = DeviceError::kSuccess;  // the first
  CounterSet counters;
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
