#pragma once

namespace warpcheck {

// Whether C++ has this character in a name: letters, digits and '_'.
constexpr bool IsOfIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace warpcheck
