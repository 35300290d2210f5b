#include "ptx/scope.h"

#include <charconv>

namespace warpcheck::ptx {
namespace {

// "%r12" into "%r" and 12; false where there is no number or it has leading zeros.
bool SplitNumber(std::string_view name, std::string_view& prefix, std::uint32_t& number) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string_view text = name.substr(digits);
  if (text.empty() || (text[0] == '0' && text.size() > 1)) return false;
  prefix = name.substr(0, digits);
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

}  // namespace

const Entity* Scopes::Find(std::string_view name) {
  std::string_view prefix;
  std::uint32_t number = 0;
  const bool numbered = SplitNumber(name, prefix, number);
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].find(name);
    if (found != scopes_[i].end()) return &found->second;
    if (!numbered) continue;
    const auto range = ranges_[i].find(prefix);
    if (range == ranges_[i].end() || number >= range->second.count) continue;
    from_range_ = {EntityKind::kRegister, range->second.id + number, 0};
    return &from_range_;
  }
  return nullptr;
}

}  // namespace warpcheck::ptx
