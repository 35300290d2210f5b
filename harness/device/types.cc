#include "device/types.h"

#include <fmt/format.h>

namespace warpcheck {

std::string ExtentText(const Dim3& extent) {
  if (extent.z != 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  if (extent.y != 1) return fmt::format("{}x{}", extent.x, extent.y);
  return fmt::format("{}", extent.x);
}

std::string PositionText(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

}  // namespace warpcheck
