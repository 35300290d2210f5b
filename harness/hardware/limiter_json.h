// Writes what limits a launch as JSON, for machines: what a GPU measured, or the bounds by name,
// and the sentences.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "device/launch_record.h"

namespace warpcheck {

// Returns {"measured", "text", "advice"} if a GPU measured the launch, and otherwise {"likely",
// "of_work", "cycles": {...}, "text", "advice"} for a record that sums up `launches` equal
// launches. Returns null if the bounds are not known or nothing was counted.
nlohmann::ordered_json LimiterJson(const LaunchRecord& record, std::uint64_t launches);

}  // namespace warpcheck
