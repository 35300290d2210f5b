// PTX text to tokens (PTX ISA, sections 4.2 to 4.5).
#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck::ptx {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,  // foo, $L__BB0_1, %r1, _
  kDotted,      // .global, .v4, .shared::cta: with its dot
  kInteger,     // bits
  kFloat,       // 0f...: bits, as an f32's
  kDouble,      // 0d... or decimal: bits, as an f64's
  kString,      // text without the quotes
  kPunctuation,
  kInvalid,  // text says what is wrong
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool glued = false;  // no space between this token and the one before
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

  Token Next();  // kEnd for ever at the end

 private:
  char At(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool SkipSpace();  // false in an unclosed comment
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
};

}  // namespace warpcheck::ptx
