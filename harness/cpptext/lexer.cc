#include "cpptext/lexer.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>

namespace warpcheck::cpptext {
namespace {

using re2::RE2;
using re2::StringPiece;

// Each pattern takes its first alternative that fits. Names may contain any bytes beyond ASCII.

// Matches space within a line, or a backslash that joins the line to the next.
constexpr char kSpace[] = R"re(([ \t\r\v\f\x00]+|\\\r?\n))re";
constexpr char kComment[] = R"re(((?s)//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\z)))re";
// Matches a directive at the beginning of a line: the part of a #define before its replacement, and
// the whole of any other directive.
constexpr char kDirective[] =
    R"re((#[ \t]*define(?:[ \t]+\w+(?:\([^)\n]*\)?)?|\b)|#(?:\\\r?\n|[^\n])*))re";
constexpr char kRawText[] = R"re(((?:u8|[uUL])?R"([^()\\\s"]{0,16})\())re";
constexpr char kText[] =
    R"re(((?s)(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*(?:"|\\\z|)|'(?:\\.|[^'\\\n])*(?:'|\\\z|))))re";
constexpr char kNumber[] = R"re((\.?[0-9](?:[eEpP][+-]|'\w|[\w.])*))re";
constexpr char kName[] = R"re(([A-Za-z_\x80-\xff][\w\x80-\xff]*))re";
// Reads ">>" as two signs, because it may end two templates.
constexpr char kSign[] = R"re(((?s)<<<|>>>|<<=|>>=|->|::|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|.))re";

class Lexer {
 public:
  Lexer(std::string_view source, std::size_t max_tokens)
      : rest_(source.data(), source.size()), max_tokens_(max_tokens) {}

  std::vector<Token> Run() {
    static const RE2 space(kSpace, RE2::Latin1);
    static const RE2 comment(kComment, RE2::Latin1);
    static const RE2 directive(kDirective, RE2::Latin1);
    bool fresh = true;  // true if the line has only had space so far
    while (!rest_.empty() && tokens_.size() < max_tokens_) {
      if (rest_[0] == '\n') {
        EndDefinition();
        fresh = true;
        Pass(StringPiece(rest_.data(), 1));
        rest_.remove_prefix(1);
      } else if (Take(space)) {
        Pass(taken_);
      } else if (Take(comment)) {
        Add(TokenKind::kComment, taken_);
      } else if (fresh && Take(directive)) {
        Add(TokenKind::kDirective, taken_);
        in_definition_ = RE2::PartialMatch(taken_, "^#[ \\t]*define");
      } else {
        fresh = false;
        Next();
      }
    }
    EndDefinition();
    return std::move(tokens_);
  }

 private:
  bool Take(const RE2& pattern) { return RE2::Consume(&rest_, pattern, &taken_); }

  void Pass(const StringPiece& text) {
    line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

  void Add(TokenKind kind, const StringPiece& text) {
    tokens_.push_back({kind, std::string_view(text.data(), text.size()), line_});
    Pass(text);
  }

  void Next() {
    static const RE2 raw(kRawText, RE2::Latin1);
    static const RE2 text(kText, RE2::Latin1);
    static const RE2 number(kNumber, RE2::Latin1);
    static const RE2 name(kName, RE2::Latin1);
    static const RE2 sign(kSign, RE2::Latin1);
    StringPiece delimiter;
    if (RE2::Consume(&rest_, raw, &taken_, &delimiter)) {
      const std::string end = ")" + std::string(delimiter) + "\"";
      const std::string_view after(rest_.data(), rest_.size());
      const std::size_t found = after.find(end);
      const std::size_t bytes = found == std::string_view::npos ? after.size() : found + end.size();
      rest_.remove_prefix(bytes);
      Add(TokenKind::kText, StringPiece(taken_.data(), taken_.size() + bytes));
    } else if (Take(text)) {
      Add(TokenKind::kText, taken_);
    } else if (Take(number)) {
      Add(TokenKind::kNumber, taken_);
    } else if (Take(name)) {
      Add(TokenKind::kName, taken_);
    } else if (Take(sign)) {
      Add(TokenKind::kSign, taken_);
    }
  }

  void EndDefinition() {
    if (in_definition_) Add(TokenKind::kDefinitionEnd, ";");
    in_definition_ = false;
  }

  StringPiece rest_;
  StringPiece taken_;
  const std::size_t max_tokens_;
  int line_ = 1;
  bool in_definition_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Lex(std::string_view source, std::size_t max_tokens) {
  return Lexer(source, max_tokens).Run();
}

}  // namespace warpcheck::cpptext
