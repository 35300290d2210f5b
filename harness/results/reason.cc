#include "results/reason.h"

#include <fmt/format.h>

namespace warpcheck {

std::string Text(const Reason& reason) {
  const std::string line =
      reason.where.known() ? fmt::format(" in line {}", reason.where.line) : "";
  std::string text = fmt::format("{} was stored{} by thread {} of block {}", reason.element, line,
                                 PositionText(reason.thread), PositionText(reason.block));
  if (!reason.made_of.empty()) text += fmt::format("; it is {}", reason.made_of);
  if (!reason.expected.empty()) text += fmt::format("; the expected value is {}", reason.expected);
  return text;
}

}  // namespace warpcheck
