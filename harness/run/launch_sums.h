// Launches that did the same, as one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "device/launch_record.h"

namespace warpcheck::run {

// The launches of one kernel with one grid, block and shared memory.
struct LaunchGroup {
  std::uint64_t launches = 0;
  // Counters are sums over the launches; findings at one place are one, with their counts added;
  // the error is that of the first launch that had one.
  LaunchRecord sum;

  friend bool operator==(const LaunchGroup&, const LaunchGroup&) = default;
};

class LaunchSums {
 public:
  // Counts for `times` equal launches.
  void Add(const LaunchRecord& record, std::uint64_t times = 1);
  void Add(LaunchGroup group);

  // In the order of their first launch.
  const std::vector<LaunchGroup>& groups() const { return groups_; }

 private:
  LaunchGroup& GroupOf(const LaunchRecord& record);

  std::vector<LaunchGroup> groups_;
};

// "tile" of "void ns::tile<float>(float*, int)": a kernel's name without what overloads tell apart.
std::string PlainName(std::string_view kernel);

WARPCHECK_FIELDS(LaunchGroup, launches, sum);

}  // namespace warpcheck::run
