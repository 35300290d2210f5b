#include "report/wording.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace warpcheck {

std::string TimeText(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

nlohmann::ordered_json Number(Points points) {
  if (points.hundredths() % 100 == 0) return points.hundredths() / 100;
  return points.Number();
}

}  // namespace warpcheck
