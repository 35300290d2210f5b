#include "proof/mutation/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpcheck::mutation {
namespace {

constexpr auto kPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<<<", ">>>"}});

// These tokens end a condition, and an operand of && and ||.
constexpr auto kConditionEnds = std::to_array<std::string_view>(
    {"(", ")",  "[",  "]",  "{",  "}",  "<<<", ">>>", ";",  ",",  "?",  ":",
     "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "return"});

bool EndsCondition(std::string_view text) {
  return std::find(kConditionEnds.begin(), kConditionEnds.end(), text) != kConditionEnds.end();
}

bool EndsOperand(std::string_view text) {
  return text == "&&" || text == "||" || EndsCondition(text);
}

// Returns the beginning of the operand before `end`: it skips whole brackets backwards, but no
// blocks.
std::size_t Back(const Source& source, std::size_t end, bool (*ends)(std::string_view)) {
  std::size_t begin = end;
  while (begin > 0) {
    const std::size_t open = source.Match(begin - 1);
    if (open != kNone && open < begin - 1 && !source.Is(begin - 1, "}")) {
      begin = open;
    } else if (ends(source.tokens()[begin - 1].text)) {
      break;
    } else {
      --begin;
    }
  }
  return begin;
}

Result<std::vector<std::size_t>> MatchBrackets(const std::vector<Token>& tokens,
                                               const std::string& file) {
  std::vector<std::size_t> match(tokens.size(), kNone);
  std::vector<std::size_t> open;
  const auto unmatched = [&](std::size_t token) {
    return Fail(fmt::format("'{}' has no counterpart", tokens[token].text),
                {file, tokens[token].line, tokens[token].column});
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::kMark) continue;
    for (const auto& [opening, closing] : kPairs) {
      if (tokens[i].text == opening) open.push_back(i);
      if (tokens[i].text != closing) continue;
      if (open.empty() || tokens[open.back()].text != opening) return unmatched(i);
      match[i] = open.back();
      match[open.back()] = i;
      open.pop_back();
    }
  }
  if (!open.empty()) return unmatched(open.back());
  return match;
}

}  // namespace

Result<Source> Source::Parse(std::string text, const std::string& file) {
  Source source;
  source.text_ = std::make_unique<const std::string>(std::move(text));
  auto tokens = Tokens(*source.text_, file);
  if (!tokens) return Fail(std::move(tokens.error()));
  auto match = MatchBrackets(*tokens, file);
  if (!match) return Fail(std::move(match.error()));
  source.tokens_ = std::move(*tokens);
  source.match_ = std::move(*match);
  return source;
}

bool Source::IsBinary(std::size_t token) const {
  return token > 0 && token + 1 < tokens_.size() && tokens_[token].space_before &&
         tokens_[token + 1].space_before;
}

std::string_view Source::Text(std::size_t begin, std::size_t end) const {
  if (begin >= end) return {};
  const Token& last = tokens_[end - 1];
  const std::size_t from = tokens_[begin].offset;
  return std::string_view(*text_).substr(from, last.offset + last.text.size() - from);
}

std::vector<Range> ListElements(const Source& source, std::size_t open) {
  std::vector<Range> elements;
  const std::size_t close = source.Match(open);
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= close; ++i) {
    if (i == close || source.Is(i, ",")) {
      elements.push_back({begin, i});
      begin = i + 1;
    } else if (source.Match(i) != kNone) {
      i = source.Match(i);  // this is a closing bracket, so skips to the opening one
    }
  }
  if (elements.size() == 1 && elements.front().empty()) elements.clear();
  return elements;
}

Range LeftOperand(const Source& source, std::size_t token) {
  return {Back(source, token, &EndsOperand), token};
}

Range ConditionBefore(const Source& source, std::size_t token) {
  return {Back(source, token, &EndsCondition), token};
}

Range RightOperand(const Source& source, std::size_t token) {
  std::size_t end = token + 1;
  while (end < source.tokens().size()) {
    const std::size_t close = source.Match(end);
    if (close != kNone && close > end && !source.Is(end, "{")) {
      end = close + 1;
    } else if (EndsOperand(source.tokens()[end].text)) {
      break;
    } else {
      ++end;
    }
  }
  return {token + 1, end};
}

}  // namespace warpcheck::mutation
