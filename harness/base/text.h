// Helps with text: names, blanks, and numbers as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

// Returns true if a name in C++ may contain this character: a letter, a digit or '_'.
constexpr bool IsOfIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns the text without the blanks and newlines at its start and end.
std::string_view Trimmed(std::string_view text);

// Returns a number with commas: "8,388,608".
std::string Grouped(std::uint64_t number);
// Returns a number with its noun: "1 element", "2,048 elements".
std::string Counted(std::uint64_t number, std::string_view noun);

// Returns the name in `names` that is nearest to a word with up to three typing errors, or an empty
// text if no name is near.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> names);

}  // namespace warpcheck
