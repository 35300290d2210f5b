// UTF-8 (RFC 3629), one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpcheck {

// The bytes of the well-formed character at the start of `text`, whose code point goes to `code`;
// 0 where there is none: a stray byte, an overlong form, a surrogate, an end too early. `text` is
// not empty.
std::size_t Utf8Character(std::string_view text, char32_t& code);

bool IsUtf8(std::string_view text);

}  // namespace warpcheck
