#include "checks/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {

std::string IndexText(const Extents& extents, std::size_t index) {
  std::vector<std::size_t> position(extents.size());
  for (std::size_t i = extents.size(); i-- > 0;) {
    position[i] = index % extents[i];
    index /= extents[i];
  }
  return fmt::format("[{}]", fmt::join(position, ", "));
}

}  // namespace warpcheck
