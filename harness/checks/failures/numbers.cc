#include "checks/failures/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.h"

namespace warpcheck {

namespace {

std::uint64_t Rounded(double value) {
  return static_cast<std::uint64_t>(std::llround(std::max(0.0, value)));
}

}  // namespace

std::string Whole(double value) { return Grouped(Rounded(value)); }

std::string Whole(double value, std::string_view noun) { return Counted(Rounded(value), noun); }

std::string Ratio(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

}  // namespace warpcheck
