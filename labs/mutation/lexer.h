// Cuts CUDA C++ into tokens. Comments, white space and preprocessor directives are none.
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
    kNumber,  // with sign of exponent, separators and suffix: 0x10u, 1.5e-3f
    kText,    // string and character literals
    kMark,    // operators and punctuation, as long as possible; <<< and >>> are one each
  };
  Kind kind = Kind::kMark;
  std::string_view text;  // part of the source
  std::size_t offset = 0;
  int line = 1;
  int column = 1;             // in bytes
  bool space_before = false;  // white space or a comment stands between it and the token before it
};

// The tokens of `text`, which has to outlive them. Fails where a comment or literal does not end;
// `file` is named in the error.
Result<std::vector<Token>> Tokens(std::string_view text, const std::string& file);

}  // namespace warpcheck::mutation
