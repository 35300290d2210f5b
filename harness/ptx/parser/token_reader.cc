#include "ptx/parser/token_reader.h"

#include <fmt/format.h>

#include "ptx/limits.h"

namespace warpcheck::ptx {

void TokenReader::Advance() {
  if (failed()) return;
  token_ = lexer_.Next();
  if (token_.kind != TokenKind::kInvalid) return;
  Fail(token_, std::string(token_.text));
}

void TokenReader::Fail(const Token& at, std::string message) {
  if (failed()) return;
  if (message.size() > limits::kErrorBytes)
    message.replace(limits::kErrorBytes, message.npos, "...");
  error_ =
      Error{.message = std::move(message),
            .where = {std::string(name_), static_cast<int>(at.line), static_cast<int>(at.column)},
            .hint = std::string(LineAt(at))};
  token_ = Token{};
}

void TokenReader::FailForGood(const Token& at, std::string message) {
  if (!failed()) failed_for_good_ = true;
  Fail(at, std::move(message));
}

void TokenReader::Unexpected(const Token& at, std::string_view wanted) {
  Fail(at, fmt::format("expected {}, got {}", wanted, Shown(at)));
}

void TokenReader::Expect(char punctuation) {
  if (Take(punctuation)) return;
  Unexpected(token_, fmt::format("'{}'", punctuation));
}

bool TokenReader::Take(char punctuation) {
  if (!token_.Is(punctuation)) return false;
  Advance();
  return true;
}

bool TokenReader::TakeDotted(std::string_view name) {
  if (!token_.IsDotted(name)) return false;
  Advance();
  return true;
}

std::string_view TokenReader::Name(std::string_view what) {
  if (token_.kind != TokenKind::kIdentifier) {
    Unexpected(token_, what);
    return {};
  }
  const std::string_view name = token_.text;
  Advance();
  return name;
}

void TokenReader::SkipToSemicolon() {
  while (token_.kind != TokenKind::kEnd && !token_.Is(';')) Advance();
  Expect(';');
}

std::int64_t TokenReader::Constant(int depth) {
  auto value = static_cast<std::uint64_t>(ConstantTerm(depth));
  while (token_.Is('+') || token_.Is('-') || token_.Is('*')) {
    const char operation = token_.text[0];
    Advance();
    auto right = static_cast<std::uint64_t>(ConstantTerm(depth));
    while (operation != '*' && Take('*')) right *= static_cast<std::uint64_t>(ConstantTerm(depth));
    value = operation == '+' ? value + right : operation == '-' ? value - right : value * right;
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t TokenReader::ConstantTerm(int depth) {
  if (depth > limits::kNesting) Fail(token_, "expression is nested too deeply");
  if (failed()) return 0;
  if (Take('-')) {
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(ConstantTerm(depth + 1)));
  }
  if (Take('+')) return ConstantTerm(depth + 1);
  if (Take('~')) return ~ConstantTerm(depth + 1);
  if (Take('!')) return ConstantTerm(depth + 1) == 0 ? 1 : 0;
  if (Take('(')) {
    const std::int64_t value = Constant(depth + 1);
    Expect(')');
    return value;
  }
  std::int64_t value = 32;
  if (token_.kind == TokenKind::kInteger) {
    value = static_cast<std::int64_t>(token_.bits);
  } else if (token_.kind != TokenKind::kIdentifier || token_.text != "WARP_SZ") {
    Unexpected(token_, "a number");
  }
  Advance();
  return value;
}

std::string_view TokenReader::LineAt(const Token& token) const {
  std::string_view rest = text_;
  const char* const at = token.text.data();
  if (!token.text.empty() && at >= text_.data() && at < text_.data() + text_.size()) {
    // Finds the line by searching backwards instead of counting lines, because a module may have
    // many errors.
    const auto before = static_cast<std::size_t>(at - text_.data());
    const std::size_t end = before == 0 ? text_.npos : text_.rfind('\n', before - 1);
    if (end != text_.npos) rest.remove_prefix(end + 1);
  } else {
    for (std::uint32_t line = 1; line < token.line; ++line) {
      rest.remove_prefix(rest.find('\n') + 1);
    }
  }
  rest = rest.substr(0, rest.find('\n'));
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
  rest = rest.substr(0, limits::kShownText);
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\r')) rest.remove_suffix(1);
  return rest;
}

std::string TokenReader::Shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  return fmt::format("'{}'", token.text.substr(0, limits::kShownText));
}

}  // namespace warpcheck::ptx
