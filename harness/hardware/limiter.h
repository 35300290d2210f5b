// Computes what may limit a kernel, without running it on a GPU: how many cycles each resource of
// the GPU needs at least for what the emulator counted. The resource with the highest bound is the
// likely limiter. A bound is no time: a kernel takes longer than its highest bound, and another
// resource may be the limiter (docs/limiter.md says how often). Grades never depend on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "device/launch_record.h"

namespace warpcheck {

enum class Limiter : std::uint8_t {
  kMemory,    // the bytes that must come from memory, or go there, at least once
  kL2,        // sectors that pass through the L2 cache: every store, and each array once
  kL1,        // sectors of global and local memory that pass through the L1 caches
  kShared,    // wavefronts of shared memory
  kConstant,  // different addresses of each load from constant memory
  kAtomics,   // atomics that update one word one after the other
  kIssue,     // warp instructions, of which each scheduler issues one a cycle
  kLatency,   // loads that warps wait for, while too few other warps are there
  kBlocks,    // multiprocessors without a block
  kLaunch,    // what it takes to start a kernel
};
inline constexpr std::size_t kLimiters = 10;
WARPCHECK_NAMES(Limiter, "memory", "l2", "l1", "shared_memory", "constant_memory", "atomics",
                "instructions", "latency", "blocks", "launch");

// The least cycles of the GPU's clock that a resource needs.
struct LimiterBound {
  Limiter resource = Limiter::kMemory;
  double cycles = 0;

  friend bool operator==(const LimiterBound&, const LimiterBound&) = default;
};

// The bounds of one launch, or of several that are made one after another.
class LimiterBounds {
 public:
  double operator[](Limiter resource) const { return cycles_[static_cast<std::size_t>(resource)]; }
  void Set(Limiter resource, double cycles) {
    cycles_[static_cast<std::size_t>(resource)] = cycles;
  }
  LimiterBounds& operator+=(const LimiterBounds& more);

  // Returns the bounds above 0, the highest first.
  std::vector<LimiterBound> Ranked() const;
  // Returns the resource with the highest bound.
  Limiter Likely() const;
  // Returns the same for a launch that is large enough to fill the GPU: without kBlocks and
  // kLaunch. Returns nothing if nothing was counted.
  std::optional<Limiter> LikelyOfWork() const;

 private:
  std::array<double, kLimiters> cycles_ = {};
};

// Returns the bounds of a record that sums up `launches` equal launches. Returns nothing if the
// launch was refused or had an error, or if its counters or needs are not known.
std::optional<LimiterBounds> BoundsOf(const LaunchRecord& record, std::uint64_t launches);

// Returns what people call the resource, such as "shared memory".
std::string_view LimiterName(Limiter resource);

// Sentences for people. Both are empty if nothing was counted, and the second if the launch has so
// little work that nothing follows from it.
struct LimiterText {
  std::string limiter;  // "Likely limiter (by arithmetic, not measured): shared memory; ..."
  std::string advice;   // "To do next: ..."
};

// `counters` are those of the launches of the bounds.
LimiterText TextOf(const LimiterBounds& bounds, const CounterSet& counters);

}  // namespace warpcheck
