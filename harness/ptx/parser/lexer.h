// The lexer cuts PTX text into tokens (PTX ISA, sections 4.2 to 4.5).
#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck::ptx {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,  // such as foo, $L__BB0_1, %r1 or _
  kDotted,      // such as .global, .v4 or .shared::cta; the text includes the dot
  kInteger,     // `bits` is the value
  kFloat,       // 0f...; `bits` are the bits of an f32
  kDouble,      // 0d... or decimal; `bits` are the bits of an f64
  kString,      // a string; its text has no quotes
  kPunctuation,
  kInvalid,  // an error; the text says what is wrong
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool glued = false;  // true if no space stands before it
  // True between the comments by which nvcc marks the text of an asm() statement.
  bool in_asm = false;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::string_view text;
  std::uint64_t bits = 0;

  bool Is(char punctuation) const {
    return kind == TokenKind::kPunctuation && text[0] == punctuation;
  }
  bool IsDotted(std::string_view name) const { return kind == TokenKind::kDotted && text == name; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token Next();  // returns kEnd repeatedly at the end

 private:
  char At(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool SkipSpace();  // returns false in an unclosed comment
  void SkipLine();   // skips a comment up to the end of its line
  bool SkipName();
  void Finish(Token& token, TokenKind kind, std::size_t start) const;
  void Identifier(Token& token);
  void Dotted(Token& token);
  void Number(Token& token);
  void HexFloat(Token& token, std::size_t digits);
  void Decimal(Token& token);
  void String(Token& token);

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  bool in_asm_ = false;
};

}  // namespace warpcheck::ptx
