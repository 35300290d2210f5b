// C++ and CUDA text cut into tokens, whatever the text is: nothing is refused, every byte is looked
// at once, and no token begins or ends within a character of UTF-8.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

enum class TokenKind : std::uint8_t {
  kName,    // a keyword too
  kNumber,  // 32, 0x1Fu, 1.5e-3f
  kText,    // of characters or of one, raw or not
  kSign,    // the longest there is: <<<, ->, +=
  kComment,
  kDirective,      // a whole one; a #define up to what it stands for, which are tokens too
  kDefinitionEnd,  // behind those: a ";" that is not in the source
};

struct Token {
  TokenKind kind = TokenKind::kSign;
  std::string_view text;  // of the source
  int line = 0;           // from 1, where it begins
};

// What does not end (a comment, a text, a condition) ends with the file. At most `max_tokens`.
std::vector<Token> Lex(std::string_view source, std::size_t max_tokens = SIZE_MAX);

}  // namespace warpcheck::cpptext
