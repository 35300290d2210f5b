#include "lab/run/schedule.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpcheck::lab {

std::vector<Span> Schedule(const std::vector<Task>& tasks) {
  std::map<std::uint32_t, double> stream_ends;
  std::array<double, 3> engine_ends = {};
  double started = 0;  // the time at which the host starts the next task
  std::vector<Span> spans;
  for (const Task& task : tasks) {
    double& stream_end = stream_ends[task.stream];
    double& engine_end = engine_ends[static_cast<std::size_t>(task.engine)];
    const double begin = std::max({started, stream_end, engine_end});
    stream_end = engine_end = begin + task.length;
    if (task.host_waits) started = stream_end;
    spans.push_back({.begin = begin, .end = stream_end});
  }
  return spans;
}

}  // namespace warpcheck::lab
