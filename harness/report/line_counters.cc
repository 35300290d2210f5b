#include "report/line_counters.h"

#include <algorithm>

namespace warpcheck {

void AddLines(std::vector<LineCounters>& sums, const std::vector<LineCounters>& more) {
  for (const LineCounters& line : more) {
    const auto at = std::ranges::lower_bound(sums, line.where, {}, &LineCounters::where);
    if (at != sums.end() && at->where == line.where) {
      at->counters += line.counters;
    } else {
      sums.insert(at, line);
    }
  }
}

}  // namespace warpcheck
