// Draws a picture that shows where a result is wrong.
#pragma once

#include "report/html/page_template.h"
#include "results/result_map.h"

namespace warpcheck {

// Returns the data of {{> map_figure}}: an SVG picture of the array, or one for each slice if it
// has three dimensions, and the same information in words. Returns null if the map is not complete
// (IsWhole).
PageModel MapFigureModel(const ResultMap& map);

}  // namespace warpcheck
