// Where a result is wrong, drawn.
#pragma once

#include <string>

#include "results/result_map.h"

namespace warpcheck {

// A figure with an SVG for the array, or for each slice of one with three dimensions, and what it
// shows in words. Empty for a map that is none (IsWhole).
std::string MapFigure(const ResultMap& map);

}  // namespace warpcheck
