// Writes texts that several reports share: times, and points as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "grading/points.h"

namespace warpcheck {

// Returns a time in UTC, such as "2026-11-21T10:00:00"; `seconds` counts from 1970.
std::string TimeText(std::int64_t seconds);

// Returns points as a JSON number, such as 40 or 12.5.
nlohmann::ordered_json Number(Points points);

}  // namespace warpcheck
