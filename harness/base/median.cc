#include "base/median.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace warpcheck {

double MedianOf(std::vector<double> values) {
  WARPCHECK_CHECK(!values.empty(), "a median of no values");
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace warpcheck
