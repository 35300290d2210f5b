// Where a result is wrong, drawn.
#pragma once

#include "report/page_template.h"
#include "results/result_map.h"

namespace warpcheck {

// For {{> map_figure}}: a figure with an SVG for the array, or for each slice of one with three
// dimensions, and what it shows in words. Null for a map that is none (IsWhole).
PageModel MapFigureModel(const ResultMap& map);

}  // namespace warpcheck
