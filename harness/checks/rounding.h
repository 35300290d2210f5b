// What rounding may do to a result.
#pragma once

#include <cstdint>

#include "base/check.h"

namespace warpcheck {

// The largest relative error of `operations` float operations, each on the last one's result:
// n u / (1 - n u) with u = 2^-24. A sum whose terms pass through at most n operations each is off
// by at most this times the sum of the terms' magnitudes, in whatever order it was added up
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2). Results that
// are no normal floats are not covered.
inline double RoundingBound(std::uint64_t operations) {
  const double sum = static_cast<double>(operations) * 0x1p-24;
  WARPCHECK_CHECK(sum < 1, "RoundingBound: as many operations have no bound");
  return sum / (1 - sum);
}

}  // namespace warpcheck
