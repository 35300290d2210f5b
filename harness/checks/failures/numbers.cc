#include "checks/failures/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.h"

namespace warpcheck {

std::string Whole(double value) {
  return Grouped(static_cast<std::uint64_t>(std::llround(std::max(0.0, value))));
}

std::string Ratio(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

}  // namespace warpcheck
