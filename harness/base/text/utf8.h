// Reads UTF-8 text (RFC 3629), one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpcheck {

// Reads the well-formed character at the start of `text`, which must not be empty: returns its
// length in bytes, and sets `code` to its code point. Returns 0 where no well-formed character
// stands there: a stray byte, an overlong form, a surrogate, or an end of text too early.
std::size_t Utf8Character(std::string_view text, char32_t& code);

bool IsUtf8(std::string_view text);

}  // namespace warpcheck
