// Groups launches of one kernel and shape, and adds up their counters.
#pragma once

#include <cstdint>
#include <vector>

#include "base/record.h"
#include "device/launch_record.h"

namespace warpcheck::run {

// The launches of one kernel with one grid, block and shared memory.
struct LaunchGroup {
  std::uint64_t launches = 0;
  // The counters are the sums over the launches. Findings at one place are one finding, with their
  // counts added. The error is the error of the first launch that had one.
  LaunchRecord sum;

  friend bool operator==(const LaunchGroup&, const LaunchGroup&) = default;
};

class LaunchSums {
 public:
  // Adds the counters of `times` equal launches.
  void Add(const LaunchRecord& record, std::uint64_t times = 1);
  void Add(LaunchGroup group);

  // Returns the groups in the order of their first launches.
  const std::vector<LaunchGroup>& groups() const { return groups_; }

 private:
  LaunchGroup& GroupOf(const LaunchRecord& record);

  std::vector<LaunchGroup> groups_;
};

WARPCHECK_FIELDS(LaunchGroup, launches, sum);

}  // namespace warpcheck::run
