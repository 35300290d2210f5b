// The lexer cuts C++ and CUDA text into tokens. It accepts any text, looks at every byte once, and
// begins and ends no token within a character of UTF-8.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

enum class TokenKind : std::uint8_t {
  kName,    // identifiers and keywords
  kNumber,  // 32, 0x1Fu, 1.5e-3f
  kText,    // string and character literals, raw ones too
  kSign,    // the longest that fits: <<<, ->, +=
  kComment,
  kDirective,      // a whole directive; a #define up to its replacement, which has its own tokens
  kDefinitionEnd,  // the end of the replacement: a ";" that is not in the source
};

struct Token {
  TokenKind kind = TokenKind::kSign;
  std::string_view text;  // points into the source
  int line = 0;           // where it begins, from 1
};

// Returns at most `max_tokens` tokens of the source, which must outlive them. A comment or literal
// that is not closed ends with the source.
std::vector<Token> Lex(std::string_view source, std::size_t max_tokens = SIZE_MAX);

}  // namespace warpcheck::cpptext
