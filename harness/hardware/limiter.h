// Computes what may limit a kernel, without running it on a GPU: how many cycles each resource of
// the GPU needs at least for what the emulator counted. The resource with the highest bound is the
// likely limiter. A bound is no time: a kernel takes longer than its highest bound, and another
// resource may be the limiter (docs/limiter.md says how often). Grades never depend on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/record.h"
#include "device/launch_record.h"
#include "hardware/limiter_text.h"

namespace warpcheck {

// Starting a kernel takes this long. Of all launches that the labs made on an H100, none was
// shorter (labs/banks/h100/table.csv).
inline constexpr double kLaunchMicroseconds = 3.7;

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

// Both sentences are empty if nothing was counted, and the advice if the launch has so little work
// that nothing follows from it. `counters` are those of the launches of the bounds.
LimiterText TextOf(const LimiterBounds& bounds, const CounterSet& counters);

}  // namespace warpcheck
