// ExplainFaults() finds out which memory the program's own code wanted to use when it failed with a
// segmentation fault.
//
// Faults are per process, as their handler is.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace warpcheck::cudart {

// A fault of the program's own code.
struct HostFault {
  // The addresses that the instruction may have accessed, the likeliest first. The operating system
  // does not tell an address that no host program can have; such addresses come from registers.
  std::vector<std::uintptr_t> addresses;
  // The instruction, then the addresses to which its callers return.
  std::vector<std::uint64_t> code;
};

// Calls explain(fault) at a fault in this process, once. The fault then takes its course, as if
// nobody had looked at it. `explain` runs in a signal handler of a program that is about to end: it
// must not wait for locks.
void ExplainFaults(std::function<void(const HostFault&)> explain);

}  // namespace warpcheck::cudart
