// Small functions on text, and numbers as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

// True if a name in C++ may contain this character: a letter, a digit or '_'.
constexpr bool IsOfIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns the text without the blanks and the ends of lines around it.
std::string_view Trimmed(std::string_view text);

// "8,388,608".
std::string Grouped(std::uint64_t number);
// "1 element", "2,048 elements".
std::string Counted(std::uint64_t number, std::string_view noun);

// Returns the one of `names` that is nearest to a word with up to three typing errors; an empty
// text if there is none.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> names);

}  // namespace warpcheck
