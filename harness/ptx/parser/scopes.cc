#include "ptx/parser/scopes.h"

#include <charconv>

namespace warpcheck::ptx {
namespace {

// Splits "%r12" into "%r" and 12. Returns false if there is no number, or if the number has leading
// zeros.
bool SplitNumber(std::string_view name, std::string_view& prefix, std::uint32_t& number) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string_view text = name.substr(digits);
  if (text.empty() || (text[0] == '0' && text.size() > 1)) return false;
  prefix = name.substr(0, digits);
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

}  // namespace

Entity Scopes::Find(std::string_view name) const {
  std::string_view prefix;
  std::uint32_t number = 0;
  const bool numbered = SplitNumber(name, prefix, number);
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    if (const Entity found = In(scopes_[i], name); found.kind != EntityKind::kNone) return found;
    if (!numbered) continue;
    const Entity range = In(ranges_[i], prefix);
    if (number < range.count) return {EntityKind::kRegister, range.id + number, 0};
  }
  return {};
}

}  // namespace warpcheck::ptx
