#include "labs/mutation/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpcheck::mutation {
namespace {

// Longest first.
constexpr auto kMarks = std::to_array<std::string_view>(
    {"<<<", ">>>", "<<=", ">>=", "...", "<=>", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&",
     "||",  "++",  "--",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "->", "::"});

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }
bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<Token>> Run() {
    while (SkipBetweenTokens()) {
      const std::size_t begin = at_;
      const Token::Kind kind = Skip();
      if (failed_) break;
      tokens_.push_back({kind, text_.substr(begin, at_ - begin), begin, line_,
                         static_cast<int>(begin - line_begin_) + 1, space_});
      space_ = false;
      CountLines(begin, at_);
    }
    if (failed_) return Fail(std::move(error_));
    return std::move(tokens_);
  }

 private:
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool Starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }

  void CountLines(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i] != '\n') continue;
      ++line_;
      line_begin_ = i + 1;
    }
  }

  void Wrong(std::string message) {
    if (failed_) return;
    failed_ = true;
    error_.message = std::move(message);
    error_.where = {file_, line_, static_cast<int>(at_ - line_begin_) + 1};
    at_ = text_.size();
  }

  // To the end of a line; a backslash before it continues the line.
  void SkipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
  }

  void SkipComment() {
    if (Starts("//")) return SkipLine();
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return Wrong("a comment does not end");
    at_ = end + 2;
  }

  bool AtLineStart() const {
    const std::string_view before = text_.substr(line_begin_, at_ - line_begin_);
    return std::all_of(before.begin(), before.end(), IsSpace);
  }

  // False at the end of the text.
  bool SkipBetweenTokens() {
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      if (IsSpace(Peek())) {
        ++at_;
      } else if (Starts("//") || Starts("/*")) {
        SkipComment();
      } else if (Peek() == '#' && AtLineStart()) {
        SkipLine();
      } else {
        return true;
      }
      space_ = true;
      CountLines(begin, at_);
    }
    return false;
  }

  Token::Kind Skip() {
    const bool raw = Starts("R\"");
    if (raw || Peek() == '"' || Peek() == '\'') {
      raw ? SkipRawText() : SkipText();
      return Token::Kind::kText;
    }
    if (IsNameStart(Peek())) {
      while (IsNamePart(Peek())) ++at_;
      return Token::Kind::kName;
    }
    if (IsDigit(Peek()) || (Peek() == '.' && IsDigit(Peek(1)))) {
      SkipNumber();
      return Token::Kind::kNumber;
    }
    const auto* const mark =
        std::find_if(kMarks.begin(), kMarks.end(), [this](auto one) { return Starts(one); });
    at_ += mark == kMarks.end() ? 1 : mark->size();
    return Token::Kind::kMark;
  }

  void SkipNumber() {
    const bool hexadecimal = Starts("0x") || Starts("0X");
    while (IsNamePart(Peek()) || Peek() == '.' || Peek() == '\'') {
      const char c = static_cast<char>(std::tolower(Peek()));
      const bool exponent = hexadecimal ? c == 'p' : c == 'e';
      ++at_;
      if (exponent && (Peek() == '+' || Peek() == '-')) ++at_;
    }
  }

  void SkipText() {
    const std::size_t begin = at_;
    const char quote = Peek();
    for (++at_; at_ < text_.size() && Peek() != quote && Peek() != '\n';) {
      at_ += Peek() == '\\' ? 2 : 1;
    }
    if (Peek() == quote) {
      ++at_;
    } else {
      at_ = begin;
      Wrong("a literal does not end");
    }
  }

  void SkipRawText() {
    const std::size_t open = text_.find('(', at_);
    const std::size_t end =
        open == std::string_view::npos
            ? open
            : text_.find(")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"", open);
    if (end == std::string_view::npos) return Wrong("a literal does not end");
    at_ = text_.find('"', end) + 1;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_begin_ = 0;
  bool space_ = false;
  bool failed_ = false;
  Error error_;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> Tokens(std::string_view text, const std::string& file) {
  return Lexer(text, file).Run();
}

}  // namespace warpcheck::mutation
