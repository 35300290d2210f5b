// How a class's scores are distributed, as a picture.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "grading/rubric.h"

namespace warpcheck {

// Tenths of all points, and all of them.
inline constexpr std::size_t kScoreBins = 11;
using ScoreBins = std::array<std::size_t, kScoreBins>;  // how many students

std::size_t ScoreBin(Points score, Points max);
// "40 to 49 %", "all points".
std::string ScoreRange(std::size_t bin);

// An SVG picture, whose text alternative says all of its numbers.
std::string HtmlHistogram(const ScoreBins& bins);

}  // namespace warpcheck
