// A Source is a CUDA C++ file as the mutators see it: its tokens, and its pairs of brackets.
// Comments, white space and preprocessor directives are not tokens, so no mutator changes them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proof/mutation/tokens.h"

namespace warpcheck::mutation {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Source {
 public:
  // Fails if a comment, literal or bracket does not end; the error names `file`.
  static Result<Source> Parse(std::string text, const std::string& file);

  const std::string& text() const { return *text_; }
  const std::vector<Token>& tokens() const { return tokens_; }

  // Returns the other bracket of a pair of ( ), [ ], { } or <<< >>>, or kNone for any other token.
  std::size_t Match(std::size_t token) const { return match_[token]; }

  bool Is(std::size_t token, std::string_view text) const {
    return token < tokens_.size() && tokens_[token].text == text;
  }
  bool IsName(std::size_t token) const {
    return token < tokens_.size() && tokens_[token].kind == Token::Kind::kName;
  }

  // Returns true for an operator with white space on both sides, as clang-format writes binary
  // ones. This distinguishes a < b from vector<int>, a * b from float* b, and a - b from -b.
  bool IsBinary(std::size_t token) const;

  // Returns the source from the first to the last of the tokens [begin, end).
  std::string_view Text(std::size_t begin, std::size_t end) const;

 private:
  Source() = default;

  std::unique_ptr<const std::string> text_;  // on the heap, because tokens point into it
  std::vector<Token> tokens_;
  std::vector<std::size_t> match_;
};

// The range of tokens [begin, end).
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
};

// Returns the elements between an opening bracket and its end, divided at the commas outside of
// inner brackets. An empty list has no elements.
std::vector<Range> ListElements(const Source& source, std::size_t open);

// Returns the operands of the && or || at `token`.
Range LeftOperand(const Source& source, std::size_t token);
Range RightOperand(const Source& source, std::size_t token);

// Returns the condition of the ? at `token`.
Range ConditionBefore(const Source& source, std::size_t token);

}  // namespace warpcheck::mutation
