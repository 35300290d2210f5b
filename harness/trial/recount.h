// Counts the launches of a call on a device that can count only one launch each time the call is
// made. Therefore the call is made again for each launch.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"
#include "device/launch_record.h"

namespace warpcheck {

// The most launches of a call that are counted. Further launches are not measured.
inline constexpr std::size_t kMaxRecounts = 16;

// Returns how many of the launches differ in kernel, configuration or total counters.
std::size_t DifferentLaunches(const std::vector<LaunchRecord>& launches);

// The type of a function that makes the call again and returns the record of launch number
// `launch`, from 0, with its counters.
using CountOne = std::function<Result<LaunchRecord>(std::size_t launch)>;

// Returns `launches` with their counters by line. Launches with the same kernel, configuration and
// totals are counted once. The record of a launch that cannot be counted says why, and after a
// failure no further launch is tried.
std::vector<LaunchRecord> Recounted(std::vector<LaunchRecord> launches, const CountOne& count);

}  // namespace warpcheck
