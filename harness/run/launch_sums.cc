#include "run/launch_sums.h"

#include <algorithm>
#include <utility>

#include "device/launch_record.h"

namespace warpcheck::run {
namespace {

CounterSet Zeros() {
  CounterSet zeros;
  for (std::size_t i = 0; i < kCounterCount; ++i) zeros.Set(static_cast<Counter>(i), 0);
  return zeros;
}

}  // namespace

LaunchGroup& LaunchSums::GroupOf(const LaunchRecord& record) {
  const auto known = std::ranges::find_if(
      groups_, [&](const LaunchGroup& group) { return SameShape(group.sum, record); });
  if (known != groups_.end()) return *known;
  LaunchGroup& group = groups_.emplace_back();
  group.sum.kernel = record.kernel;
  group.sum.grid = record.grid;
  group.sum.block = record.block;
  group.sum.shared_bytes = record.shared_bytes;
  group.sum.counters = Zeros();
  if (record.needs) {
    group.sum.needs =
        LaunchNeeds{.target = record.needs->target, .active_blocks = record.needs->active_blocks};
  }
  return group;
}

void LaunchSums::Add(const LaunchRecord& record, std::uint64_t times) {
  LaunchGroup& group = GroupOf(record);
  group.launches += times;
  AddLaunch(group.sum, record, times);
}

void LaunchSums::Add(LaunchGroup group) {
  const std::uint64_t launches = std::exchange(group.launches, 0);
  Add(group.sum, 1);
  GroupOf(group.sum).launches += launches - 1;
}

}  // namespace warpcheck::run
