// Writes texts that several reports share: times, numbers of things, and points as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "grading/points.h"

namespace warpcheck {

// Returns a time in UTC, such as "2026-11-21T10:00:00"; `seconds` counts from 1970.
std::string TimeText(std::int64_t seconds);

// Returns a number with its noun, such as "1 pair" or "2048 pairs".
std::string CountOf(std::size_t number, std::string_view what);

// Returns points as a JSON number, such as 40 or 12.5.
nlohmann::ordered_json Number(Points points);

}  // namespace warpcheck
