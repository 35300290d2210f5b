// TokenReader is the base of the parser: it reads tokens, and keeps the first error. After an error
// every later token is the end of the text. Therefore all loops stop, and no function has to pass
// the error on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/parser/lexer.h"

namespace warpcheck::ptx {

class TokenReader {
 protected:
  TokenReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), lexer_(text) {}

  void Advance();
  bool failed() const { return error_.has_value(); }
  void Fail(const Token& at, std::string message);
  // Fails because of a limit of the whole module, so that the parser does not recover.
  void FailForGood(const Token& at, std::string message);
  void Unexpected(const Token& at, std::string_view wanted);
  void Expect(char punctuation);
  // These advance to the next token if the current one is the expected one, and return whether it
  // was.
  bool Take(char punctuation);
  bool TakeDotted(std::string_view name);
  // Reads an identifier. If there is no identifier, `what` names it in the error.
  std::string_view Name(std::string_view what);
  void SkipToSemicolon();
  // Reads a constant expression of integers.
  std::int64_t Constant(int depth = 0);
  std::int64_t ConstantTerm(int depth);
  // Calls item() for each item of a list with commas, and reads the `close` after it.
  template <class Item>
  void List(char close, Item item) {
    while (!failed() && !token_.Is(close)) {
      item();
      if (!Take(',')) break;
    }
    Expect(close);
  }
  std::string_view LineAt(const Token& token) const;
  static std::string Shown(const Token& token);

  std::string_view text_;
  std::string_view name_;  // the name of the file, for errors
  Lexer lexer_;
  Token token_;
  std::optional<Error> error_;
  bool failed_for_good_ = false;
};

}  // namespace warpcheck::ptx
