// A CUDA C++ file as the mutators see it: its tokens, and which brackets belong together. Comments,
// white space and preprocessor directives are no tokens: nothing ever changes in them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "labs/mutation/lexer.h"

namespace warpcheck::mutation {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Source {
 public:
  // Fails where a comment, literal or bracket does not end; `file` is named in the error.
  static Result<Source> Parse(std::string text, const std::string& file);

  const std::string& text() const { return *text_; }
  const std::vector<Token>& tokens() const { return tokens_; }

  // The other one of a pair of ( ), [ ], { } or <<< >>>; kNone for any other token.
  std::size_t Match(std::size_t token) const { return match_[token]; }

  bool Is(std::size_t token, std::string_view text) const {
    return token < tokens_.size() && tokens_[token].text == text;
  }
  bool IsName(std::size_t token) const {
    return token < tokens_.size() && tokens_[token].kind == Token::Kind::kName;
  }

  // True for an operator with white space on both sides, as clang-format writes binary ones: tells
  // a < b from vector<int>, a * b from float* b, and a - b from -b.
  bool IsBinary(std::size_t token) const;

  // The text of the tokens [begin, end), with what stands between them.
  std::string_view Text(std::size_t begin, std::size_t end) const;

 private:
  Source() = default;

  std::unique_ptr<const std::string> text_;  // at a fixed place: tokens point into it
  std::vector<Token> tokens_;
  std::vector<std::size_t> match_;
};

// Tokens [begin, end).
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
};

// What stands between an opening bracket and its end, divided at the commas that are not inside
// further brackets; none for an empty list.
std::vector<Range> ListElements(const Source& source, std::size_t open);

// The operands of the && or || at `token`.
Range LeftOperand(const Source& source, std::size_t token);
Range RightOperand(const Source& source, std::size_t token);

// What the ? at `token` depends on.
Range ConditionBefore(const Source& source, std::size_t token);

}  // namespace warpcheck::mutation
