// MedianOf() returns the median of measured values.
#pragma once

#include <vector>

namespace warpcheck {

// Returns the middle value, or the mean of the two in the middle. `values` must not be empty.
double MedianOf(std::vector<double> values);

}  // namespace warpcheck
