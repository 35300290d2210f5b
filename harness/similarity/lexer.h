// C++ and CUDA text cut into tokens, whatever the text is: nothing is refused, and every byte is
// looked at once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck::similarity {

enum class TokenKind : std::uint8_t {
  kName,    // a keyword too
  kNumber,  // 32, 0x1Fu, 1.5e-3f
  kText,    // of characters or of one, raw or not
  kSign,    // the longest there is: <<<, ->, +=
};

struct Token {
  TokenKind kind = TokenKind::kSign;
  std::string_view text;  // of the source
  int line = 0;           // from 1, where it begins
};

// Without comments and without directives, except what a #define stands for, which ends in a ';' of
// its own. What does not end (a comment, a text, a condition) ends with the file. At most
// `max_tokens`.
std::vector<Token> Lex(std::string_view source, std::size_t max_tokens);

}  // namespace warpcheck::similarity
