// Names the resources of a GPU that may limit a kernel, and says what to do about each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/record.h"
#include "device/counters.h"

namespace warpcheck {

enum class Limiter : std::uint8_t {
  kMemory,      // the bytes that must come from memory, or go there, at least once
  kL2,          // sectors that pass through the L2 cache: every store, and each array once
  kL1,          // sectors of global and local memory that pass through the L1 caches
  kShared,      // wavefronts of shared memory
  kConstant,    // different addresses of each load from constant memory
  kAtomics,     // atomics that update one word one after the other
  kIssue,       // warp instructions, of which each scheduler issues one a cycle
  kLatency,     // loads that warps wait for, while too few other warps are there
  kBlocks,      // multiprocessors without a block
  kLaunch,      // what it takes to start a kernel
  kArithmetic,  // a unit that computes, such as that of doubles; only a GPU tells
  kWaits,       // warps that wait for results or for each other; only a GPU tells
};
inline constexpr std::size_t kLimiters = 12;
WARPCHECK_NAMES(Limiter, "memory", "l2", "l1", "shared_memory", "constant_memory", "atomics",
                "instructions", "latency", "blocks", "launch", "arithmetic", "waits");

// Returns what people call the resource, such as "shared memory".
std::string_view LimiterName(Limiter resource);

// Returns what to do about a resource that limits a launch with these counters, such as "move fewer
// bytes: ...". Counters that are not known count as 0.
std::string AdviceFor(Limiter resource, const CounterSet& counters);

// Returns true if that text follows from a count, such as that of bank conflicts. Otherwise it says
// what helps in general, and may be nothing that this task allows.
bool IsCounted(Limiter resource, const CounterSet& counters);

// Two sentences for people. Each may be empty.
struct LimiterText {
  std::string limiter;   // "Likely limiter (by arithmetic, not measured): shared memory; ..."
  std::string advice;    // "To do next: ..."
  bool counted = false;  // true if the advice follows from what was counted in this launch
};

}  // namespace warpcheck
