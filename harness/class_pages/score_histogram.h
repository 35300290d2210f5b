// Draws the distribution of a class's scores as a picture.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "grading/points.h"
#include "report/html/page_template.h"

namespace warpcheck {

// The numbers of students by score: one bin for each tenth of all points, and one for all points.
inline constexpr std::size_t kScoreBins = 11;
using ScoreBins = std::array<std::size_t, kScoreBins>;

// Returns the bin of a score.
std::size_t ScoreBin(Points score, Points max);
// Returns the name of a bin, such as "40 to 49 %" or "all points".
std::string ScoreRange(std::size_t bin);

// Returns the data of {{> histogram}}: an SVG picture, whose text alternative gives all numbers.
// Lengths are in units of the picture.
PageModel HistogramModel(const ScoreBins& bins);

}  // namespace warpcheck
