#include "base/grouped.h"

namespace warpcheck {

std::string Grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t digits = 3; digits < text.size(); digits += 4) {
    text.insert(text.size() - digits, ",");
  }
  return text;
}

}  // namespace warpcheck
