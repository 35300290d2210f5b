// Draws the figures of a lab from what it measured.
#pragma once

#include <vector>

#include "lab/report/line_plot.h"
#include "lab/run/measure.h"

namespace warpcheck::lab {

// Returns the lab's figures, each with its title. Leaves out a figure if nothing of it was
// measured.
std::vector<LinePlot> FiguresOf(const Lab& lab, const Measured& measured);

}  // namespace warpcheck::lab
