// Counts what the launches of a call did, on a device that counts one launch a call.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"
#include "device/launch_record.h"

namespace warpcheck {

// Beyond them a call's launches are not measured.
inline constexpr std::size_t kMaxRecounts = 16;

// Kernels and configurations among them that do different work, as far as their totals tell.
std::size_t DifferentLaunches(const std::vector<LaunchRecord>& launches);

// Makes the call again and gives the record of its `launch`-th launch, from 0, with its counters.
using CountOne = std::function<Result<LaunchRecord>(std::size_t launch)>;

// `launches` with counters by line and timing. Launches of one kernel and configuration whose
// totals agree are counted once. Where one cannot be counted its record says why; after a failure
// no more are tried.
std::vector<LaunchRecord> Recounted(std::vector<LaunchRecord> launches, const CountOne& count);

}  // namespace warpcheck
