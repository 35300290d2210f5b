#include "proof/mutation/tokens.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "cpptext/lexer.h"

namespace warpcheck::mutation {
namespace {

using cpptext::TokenKind;

// The lexer of cpptext cuts each of these marks into two or more tokens.
constexpr std::array<std::string_view, 4> kJoined = {">>", "...", "<=>", "->*"};

Token::Kind KindOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
      return Token::Kind::kName;
    case TokenKind::kNumber:
      return Token::Kind::kNumber;
    case TokenKind::kText:
      return Token::Kind::kText;
    default:
      return Token::Kind::kMark;
  }
}

// Returns whether a string or character literal has its closing quotation mark.
bool IsClosed(std::string_view literal) {
  const std::size_t open = literal.find_first_of("\"'");
  if (open > 0 && literal[open - 1] == 'R') {
    const std::string_view delimiter = literal.substr(open + 1, literal.find('(') - open - 1);
    const std::string end = ")" + std::string(delimiter) + "\"";
    return literal.substr(literal.find('(')).ends_with(end);
  }
  for (std::size_t i = open + 1; i < literal.size(); ++i) {
    if (literal[i] == '\\') {
      ++i;
    } else if (literal[i] == literal[open]) {
      return true;
    }
  }
  return false;
}

bool IsClosedComment(std::string_view comment) {
  return comment.starts_with("//") || (comment.size() >= 4 && comment.ends_with("*/"));
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<Token>> Read() {
    bool in_definition = false;
    for (const cpptext::Token& token : cpptext::Lex(text_)) {
      if (token.kind == TokenKind::kComment && !IsClosedComment(token.text)) {
        return Wrong(token, "a comment does not end");
      }
      if (token.kind == TokenKind::kText && !IsClosed(token.text)) {
        return Wrong(token, "a literal does not end");
      }
      // If a directive is a #define, its tokens end with kDefinitionEnd.
      if (token.kind == TokenKind::kDirective) in_definition = IsDefinition(token.text);
      const bool skipped =
          in_definition || token.kind == TokenKind::kDirective || token.kind == TokenKind::kComment;
      if (token.kind == TokenKind::kDefinitionEnd) in_definition = false;
      if (!skipped && token.kind != TokenKind::kDefinitionEnd) Add(token);
    }
    return std::move(tokens_);
  }

 private:
  static bool IsDefinition(std::string_view directive) {
    directive.remove_prefix(1);
    directive.remove_prefix(std::min(directive.find_first_not_of(" \t"), directive.size()));
    return directive.starts_with("define");
  }

  std::size_t OffsetOf(const cpptext::Token& token) const {
    return static_cast<std::size_t>(token.text.data() - text_.data());
  }
  // Returns the column, which counts from 1, in bytes.
  int ColumnOf(std::size_t offset) const {
    const std::size_t newline = offset == 0 ? text_.npos : text_.rfind('\n', offset - 1);
    return static_cast<int>(newline == text_.npos ? offset + 1 : offset - newline);
  }

  tl::unexpected<Error> Wrong(const cpptext::Token& token, std::string message) const {
    return Fail(std::move(message), {file_, token.line, ColumnOf(OffsetOf(token))});
  }

  void Add(const cpptext::Token& token) {
    const std::size_t offset = OffsetOf(token);
    const std::size_t end =
        tokens_.empty() ? 0 : tokens_.back().offset + tokens_.back().text.size();
    if (token.kind == TokenKind::kSign && offset == end && Joins(token)) return;
    tokens_.push_back(
        {KindOf(token.kind), token.text, offset, token.line, ColumnOf(offset), offset != end});
  }

  // Joins a sign with the mark right before it, if both together begin one of these marks.
  bool Joins(const cpptext::Token& sign) {
    if (tokens_.empty() || tokens_.back().kind != Token::Kind::kMark) return false;
    Token& last = tokens_.back();
    const std::string_view both = text_.substr(last.offset, last.text.size() + sign.text.size());
    const std::string_view three = text_.substr(last.offset, 3);
    const bool joins =
        std::ranges::find(kJoined, both) != kJoined.end() || (both == ".." && three == "...");
    if (joins) last.text = both;
    return joins;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> Tokens(std::string_view text, const std::string& file) {
  return Reader(text, file).Read();
}

}  // namespace warpcheck::mutation
