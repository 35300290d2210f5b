// Text: letter by letter, and numbers as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

// Whether C++ has this character in a name: letters, digits and '_'.
constexpr bool IsOfIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Without the blanks, and ends of lines, around it.
std::string_view Trimmed(std::string_view text);

// "8,388,608".
std::string Grouped(std::uint64_t number);
// "1 element", "2,048 elements".
std::string Counted(std::uint64_t number, std::string_view noun);

// Of `names`, the one that was meant by a word with up to three typing errors; empty for none.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> names);

// UTF-8 (RFC 3629), one character at a time.

// The bytes of the well-formed character at the start of `text`, whose code point goes to `code`;
// 0 where there is none: a stray byte, an overlong form, a surrogate, an end too early. `text` is
// not empty.
std::size_t Utf8Character(std::string_view text, char32_t& code);

bool IsUtf8(std::string_view text);

}  // namespace warpcheck
