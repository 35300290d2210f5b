#include "ptx/parser/lexer.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/text.h"

namespace warpcheck::ptx {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsName(char c) { return IsOfIdentifier(c) || c == '$'; }

int DigitValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

void Invalid(Token& token, std::string_view why) {
  token.kind = TokenKind::kInvalid;
  token.text = why;
}

}  // namespace

void Lexer::SkipLine() {
  const std::size_t begin = position_ + 2;
  position_ = std::min(text_.find('\n', position_), text_.size());
  const std::string_view comment = text_.substr(begin, position_ - begin);
  if (comment == " begin inline asm") in_asm_ = true;
  if (comment == " end inline asm") in_asm_ = false;
}

bool Lexer::SkipSpace() {
  while (position_ < text_.size()) {
    const char c = At();
    if (c == '\n') {
      ++line_;
      line_start_ = ++position_;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      ++position_;
    } else if (c == '/' && At(1) == '/') {
      SkipLine();
    } else if (c == '/' && At(1) == '*') {
      const std::size_t close = text_.find("*/", position_ + 2);
      if (close == text_.npos) return false;
      for (; position_ < close + 2; ++position_) {
        if (At() != '\n') continue;
        ++line_;
        line_start_ = position_ + 1;
      }
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::Next() {
  const std::size_t before = position_;
  const bool closed = SkipSpace();
  Token token;
  token.glued = position_ == before;
  token.in_asm = in_asm_;
  token.line = line_;
  token.column = static_cast<std::uint32_t>(position_ - line_start_ + 1);
  if (!closed) {
    Invalid(token, "comment is not closed");
    position_ = text_.size();
    return token;
  }
  if (position_ >= text_.size()) return token;
  const char c = At();
  if (IsDigit(c)) {
    Number(token);
  } else if (IsLetter(c) || c == '_' || c == '$' || (c == '%' && IsName(At(1)))) {
    Identifier(token);
  } else if (c == '.' && IsName(At(1))) {
    Dotted(token);
  } else if (c == '"') {
    String(token);
  } else if (std::string_view("{}[]()<>,;:=+-*/%!~@|&^?").find(c) != std::string_view::npos) {
    token.kind = TokenKind::kPunctuation;
    token.text = text_.substr(position_++, 1);
  } else {
    Invalid(token, "unexpected character");
    ++position_;
  }
  return token;
}

// Skips the characters of a name. Returns false if there is no such character.
bool Lexer::SkipName() {
  const std::size_t start = position_;
  while (IsName(At())) ++position_;
  return position_ != start;
}

void Lexer::Finish(Token& token, TokenKind kind, std::size_t start) const {
  token.kind = kind;
  token.text = text_.substr(start, position_ - start);
}

void Lexer::Identifier(Token& token) {
  const std::size_t start = position_++;
  SkipName();
  Finish(token, TokenKind::kIdentifier, start);
}

void Lexer::Dotted(Token& token) {
  const std::size_t start = position_++;
  while (IsName(At()) || (At() == ':' && At(1) == ':' && IsName(At(2)))) {
    position_ += At() == ':' ? 2 : 1;
  }
  Finish(token, TokenKind::kDotted, start);
}

void Lexer::String(Token& token) {
  const std::size_t start = ++position_;
  while (position_ < text_.size() && At() != '"' && At() != '\n') ++position_;
  if (At() != '"') return Invalid(token, "string is not closed");
  Finish(token, TokenKind::kString, start);
  ++position_;
}

void Lexer::Number(Token& token) {
  const std::size_t start = position_;
  const char mark = At() == '0' ? At(1) : '\0';
  int base = 10;
  if (mark == 'f' || mark == 'F') return HexFloat(token, 8);
  if (mark == 'd' || mark == 'D') return HexFloat(token, 16);
  if (mark == 'x' || mark == 'X' || mark == 'b' || mark == 'B') {
    base = mark == 'x' || mark == 'X' ? 16 : 2;
    position_ += 2;
  } else {
    std::size_t after = 0;
    while (IsDigit(At(after))) ++after;
    const char c = At(after);
    if ((c == '.' && !IsLetter(At(after + 1))) || c == 'e' || c == 'E') return Decimal(token);
    if (mark != '\0' && IsDigit(mark)) base = 8;
  }
  const std::size_t digits = position_;
  bool overflows = false;
  for (; DigitValue(At()) < base; ++position_) {
    overflows |= __builtin_mul_overflow(token.bits, base, &token.bits);
    overflows |= __builtin_add_overflow(token.bits, DigitValue(At()), &token.bits);
  }
  const bool empty = position_ == digits;
  if (At() == 'U' || At() == 'u') ++position_;
  if (SkipName() || empty) return Invalid(token, "malformed number");
  if (overflows) return Invalid(token, "integer does not fit 64 bits");
  Finish(token, TokenKind::kInteger, start);
}

void Lexer::HexFloat(Token& token, std::size_t digits) {
  const std::size_t start = position_;
  position_ += 2;
  std::size_t count = 0;
  for (; DigitValue(At()) < 16; ++position_, ++count) {
    token.bits = token.bits << 4 | static_cast<unsigned>(DigitValue(At()));
  }
  if (SkipName() || count != digits) {
    return Invalid(
        token, digits == 8 ? "0f needs 8 hexadecimal digits" : "0d needs 16 hexadecimal digits");
  }
  Finish(token, digits == 8 ? TokenKind::kFloat : TokenKind::kDouble, start);
}

void Lexer::Decimal(Token& token) {
  double value = 0;
  const std::size_t start = position_;
  const auto [end, failure] =
      std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
  position_ = static_cast<std::size_t>(end - text_.data());
  if (SkipName() || failure != std::errc()) return Invalid(token, "malformed number");
  token.bits = std::bit_cast<std::uint64_t>(value);
  Finish(token, TokenKind::kDouble, start);
}

}  // namespace warpcheck::ptx
