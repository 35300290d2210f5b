// The lexer cuts C++ and CUDA text into tokens. It accepts any text and reads every byte once. No
// token splits a character of UTF-8.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

enum class TokenKind : std::uint8_t {
  kName,    // identifiers and keywords
  kNumber,  // such as 32, 0x1Fu and 1.5e-3f
  kText,    // string and character literals, including raw strings
  kSign,    // the longest sign that fits: <<<, ->, +=
  kComment,
  // A whole directive; for a #define only the part before its replacement, whose tokens follow.
  kDirective,
  kDefinitionEnd,  // the end of the replacement: a ";" that the source does not contain
};

struct Token {
  TokenKind kind = TokenKind::kSign;
  std::string_view text;  // points into the source
  int line = 0;           // the line where it begins, counted from 1
};

// Returns at most `max_tokens` tokens of the source, which must outlive them. A comment or literal
// without an end extends to the end of the source.
std::vector<Token> Lex(std::string_view source, std::size_t max_tokens = SIZE_MAX);

}  // namespace warpcheck::cpptext
