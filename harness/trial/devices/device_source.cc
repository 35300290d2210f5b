#include "trial/devices/device_source.h"

#include <algorithm>

namespace warpcheck {

std::function<bool(std::string_view path)> IsOneOfSources(const std::vector<std::string>& sources) {
  if (sources.empty()) return {};
  return [sources](std::string_view path) {
    return std::ranges::find(sources, path) != sources.end();
  };
}

}  // namespace warpcheck
