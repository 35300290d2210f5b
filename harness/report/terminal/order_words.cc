#include "report/terminal/order_words.h"

#include <fmt/format.h>

#include "base/text.h"

namespace warpcheck {

std::string NoWorkText() { return "  the program handed no work to the device\n"; }

std::string TimesText(std::uint64_t count) {
  return count > 1 ? fmt::format(", {} times", Grouped(count)) : "";
}

std::string LeftOutText(std::uint64_t count) {
  return count == 0 ? "" : fmt::format("  not shown: {}\n", Counted(count, "further call"));
}

}  // namespace warpcheck
