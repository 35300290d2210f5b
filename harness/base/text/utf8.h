// Reads UTF-8 text (RFC 3629), one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpcheck {

// Reads the well-formed character at the start of `text`, which must not be empty. Returns its
// length in bytes, and sets `code` to its code point. Returns 0 if there is no well-formed
// character: a stray byte, an overlong form, a surrogate, or a text that ends too early.
std::size_t Utf8Character(std::string_view text, char32_t& code);

bool IsUtf8(std::string_view text);

}  // namespace warpcheck
