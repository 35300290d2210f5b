// Writes the figures of a speed in words, for complaints and reports.
#pragma once

#include <string>

#include "results/speed_ratio.h"

namespace warpcheck {

// Returns the figures of a speed that was measured, without its target: "0.93 of the reference's
// speed (0.91 to 0.95 in 12 pairs of calls; 120 us, and the reference takes 112 us)".
std::string FiguresOf(const SpeedRatio& ratio);

}  // namespace warpcheck
