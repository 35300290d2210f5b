// Tells where each token of a program stands, so that a change can replace it. The lexer of cpptext
// finds the tokens; those of comments and directives are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::mutation {

struct Token {
  enum class Kind : std::uint8_t {
    kName,    // identifiers and keywords
    kNumber,  // a number with the sign of its exponent, separators and suffix: 0x10u, 1.5e-3f
    kText,    // string and character literals
    kMark,    // operators and punctuation, each as long as possible; <<< and >>> are one token each
  };
  Kind kind = Kind::kMark;
  std::string_view text;  // a part of the source
  std::size_t offset = 0;
  int line = 1;
  int column = 1;  // the column, in bytes
  // True if white space or a comment stands between it and the token before it.
  bool space_before = false;
};

// Returns the tokens of `text`, which must outlive them. Fails if a comment or literal does not
// end; the error names `file`.
Result<std::vector<Token>> Tokens(std::string_view text, const std::string& file);

}  // namespace warpcheck::mutation
