#include "checks/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/demangle.h"

namespace warpcheck {

std::string Counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", Grouped(number), noun, number == 1 ? "" : "s");
}

std::string Whole(double value) {
  return Grouped(static_cast<std::uint64_t>(std::llround(std::max(0.0, value))));
}

std::string Ratio(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

std::string Demangled(const std::string& mangled) { return DemangleType(mangled); }

}  // namespace warpcheck
