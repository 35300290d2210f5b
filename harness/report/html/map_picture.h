// Draws a picture that shows where a result is wrong.
#pragma once

#include <string>

#include "report/html/page_template.h"
#include "results/result_map.h"

namespace warpcheck {

// Returns the data of {{> map_figure}}: an SVG picture of the array, or one for each slice if it
// has three dimensions, and the same information in words. Returns null if the map is not complete
// (IsWhole).
PageModel MapFigureModel(const ResultMap& map);

// Returns the picture as an SVG file of its own, with a title. The map may have the limits of
// kMapInFile.
std::string MapPicture(const ResultMap& map, const std::string& title);

}  // namespace warpcheck
