#include "report/code_colours.h"

#include <algorithm>
#include <array>
#include <boost/wave/cpplexer/cpp_lex_iterator.hpp>
#include <boost/wave/cpplexer/cpp_lex_token.hpp>
#include <boost/wave/cpplexer/cpplexer_exceptions.hpp>
#include <boost/wave/token_ids.hpp>
#include <string>

#include "base/text.h"

namespace warpcheck {
namespace {

namespace wave = boost::wave;
using Token = wave::cpplexer::lex_token<>;
using Tokens = wave::cpplexer::lex_iterator<Token>;

// The text, and a line end, byte for byte as Boost.Wave's lexer takes it: it knows ASCII, stops at
// control characters, joins lines that end in '\', and takes the ' in 1'000 for a character's.
std::string Plain(std::string_view text) {
  std::string plain(text);
  plain += '\n';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = plain[i + 1];
    const bool control = static_cast<unsigned char>(plain[i]) < 0x20 || plain[i] == 0x7f;
    if (static_cast<unsigned char>(plain[i]) >= 0x80) {
      plain[i] = 'z';
    } else if ((control && plain[i] != '\n') ||
               (plain[i] == '\\' && (next == '\n' || next == '\r'))) {
      plain[i] = ' ';
    } else if (plain[i] == '?' && next == '?') {  // no trigraphs
      plain[i] = '_';
    } else if (plain[i] == '\'' && i > 0 && IsOfIdentifier(next) && plain[i - 1] >= '0' &&
               plain[i - 1] <= '9') {
      plain[i] = '0';
    }
  }
  return plain;
}

bool IsOfCuda(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kVariables = {"threadIdx", "blockIdx",
                                                                 "blockDim", "gridDim", "warpSize"};
  return name.starts_with("__") || std::ranges::find(kVariables, name) != kVariables.end();
}

// Null for what has no colour.
const char* KindOf(wave::token_id id, std::string_view text) {
  if (id == wave::T_CCOMMENT || id == wave::T_CPPCOMMENT) return "comment";
  if (id == wave::T_IDENTIFIER) return IsOfCuda(text) ? "cuda" : nullptr;
  if (IS_CATEGORY(id, wave::StringLiteralTokenType) ||
      IS_CATEGORY(id, wave::CharacterLiteralTokenType)) {
    return "string";
  }
  if (IS_CATEGORY(id, wave::IntegerLiteralTokenType) ||
      IS_CATEGORY(id, wave::FloatingLiteralTokenType)) {
    return "literal";
  }
  if (IS_CATEGORY(id, wave::KeywordTokenType)) return "keyword";
  return IS_CATEGORY(id, wave::PPTokenType) ? "directive" : nullptr;
}

// Adds the parts of `text` from `at` on, until its end or what the lexer stops at; returns where.
std::size_t Lex(const std::string& text, std::size_t at, std::vector<CodePart>& parts) {
  const auto language =
      static_cast<wave::language_support>(wave::support_cpp0x | wave::support_option_long_long);
  try {
    Tokens token(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), Token::position_type(),
                 language);
    for (const Tokens end; token != end; ++token) {
      const auto& value = token->get_value();
      if (text.compare(at, value.size(), value.c_str(), value.size()) != 0) break;
      const std::string_view written(text.data() + at, value.size());
      if (const char* const kind = KindOf(*token, written)) {
        const std::size_t last = written.find_last_not_of("\n ") + 1;
        if (last > 0) parts.push_back({at, at + last, kind});
      }
      at += value.size();
    }
  } catch (const wave::cpplexer::lexing_exception&) {
  }
  return at;
}

}  // namespace

std::vector<CodePart> CodeParts(std::string_view text) {
  const std::string plain = Plain(text);
  std::vector<CodePart> parts;
  for (std::size_t at = 0; at < plain.size();) {
    at = Lex(plain, at, parts);
    if (at == plain.size()) break;
    if (plain.compare(at, 2, "/*") == 0) {  // without an end
      parts.push_back({at, text.size(), "comment"});
      break;
    }
    at = std::min(plain.find('\n', at), plain.size() - 1) + 1;
  }
  return parts;
}

}  // namespace warpcheck
