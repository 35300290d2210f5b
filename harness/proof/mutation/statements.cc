#include "proof/mutation/statements.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpcheck::mutation {
namespace {

// If one of these tokens follows the first name of a statement, the statement is not a declaration.
constexpr auto kAfterName = std::to_array<std::string_view>(
    {"(",   "[",   ".",  "->", "=",  "+=", "-=", "*=",  "/=", "%=",
     "<<=", ">>=", "&=", "|=", "^=", "++", "--", "<<<", "<",  "::"});

bool IsJump(const Source& source, std::size_t token) {
  return source.Is(token, "return") || source.Is(token, "break") || source.Is(token, "continue");
}

// Returns true for a call, an assignment or a jump without a value, because the program compiles
// without it.
bool CanGo(const Source& source, Range statement) {
  const std::size_t first = statement.begin;
  if (IsJump(source, first)) return statement.end == first + 1;
  if (!source.IsName(first))
    return source.Is(first, "*") || source.Is(first, "++") || source.Is(first, "--");
  if (source.Is(first, "static_assert") || source.Is(first, "using")) return false;
  return std::any_of(kAfterName.begin(), kAfterName.end(),
                     [&](auto text) { return source.Is(first + 1, text); });
}

// Returns the opening parenthesis of the head of a control statement, or kNone for other tokens.
std::size_t HeadOf(const Source& source, std::size_t token) {
  const bool head = source.Is(token, "if") || source.Is(token, "for") ||
                    source.Is(token, "while") || source.Is(token, "switch");
  if (!head) return kNone;
  const std::size_t open = token + (source.Is(token + 1, "constexpr") ? 2 : 1);
  return source.Is(open, "(") ? open : kNone;
}

// Returns the beginning of the statement after the heads, `else`s and labels at `begin`.
std::size_t SkipHeads(const Source& source, std::size_t begin) {
  for (;;) {
    if (const std::size_t open = HeadOf(source, begin); open != kNone) {
      begin = source.Match(open) + 1;
    } else if (source.Is(begin, "else") || source.Is(begin, "do")) {
      ++begin;
    } else if (source.Is(begin, "case") || source.Is(begin, "default")) {
      while (begin < source.tokens().size() && !source.Is(begin, ":")) ++begin;
      ++begin;
    } else {
      return begin;
    }
  }
}

void RemoveStatementsOf(const Source& source, std::size_t block, Mutants& mutants) {
  std::size_t begin = block + 1;
  for (std::size_t i = begin; i < source.Match(block); ++i) {
    if (source.Is(i, ";")) {
      const std::size_t first = SkipHeads(source, begin);
      if (first < i && CanGo(source, {first, i})) mutants.Remove({first, i});
      begin = i + 1;
    } else if (source.Match(i) != kNone) {
      i = source.Match(i);
      if (source.Is(i, "}")) begin = i + 1;
    }
  }
}

// Returns the parts of a for's head, divided at its semicolons. There are fewer than 3 for a loop
// over a range.
std::vector<Range> LoopParts(const Source& source, std::size_t open) {
  std::vector<Range> parts;
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= source.Match(open); ++i) {
    if (i < source.Match(open) && !source.Is(i, ";")) continue;
    parts.push_back({begin, i});
    begin = i + 1;
  }
  return parts;
}

// Changes the value after the operator `mark` in `range` by one. The value extends to the range's
// end or to a comma.
void ShiftValueAfter(const Source& source, Range range, std::string_view mark, Mutants& mutants) {
  for (std::size_t i = range.begin; i + 1 < range.end; ++i) {
    if (!source.Is(i, mark)) continue;
    std::size_t end = i + 1;
    while (end < range.end && !source.Is(end, ",")) {
      const std::size_t close = source.Match(end);
      end = close == kNone ? end + 1 : close + 1;
    }
    if (end == i + 2 && source.tokens()[i + 1].kind == Token::Kind::kNumber) continue;
    mutants.Replace({i + 1, end}, std::string(source.Text(i + 1, end)) + " + 1");
  }
}

}  // namespace

void RemoveStatements(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (source.Is(i, "{")) RemoveStatementsOf(source, i, mutants);
  }
}

void DecideConditions(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    Range condition;
    if (source.Is(i, "if") && HeadOf(source, i) != kNone) {
      const std::size_t open = HeadOf(source, i);
      condition = {open + 1, source.Match(open)};
    } else if (source.Is(i, "?")) {
      condition = ConditionBefore(source, i);
    }
    if (condition.empty()) continue;
    mutants.Replace(condition, "true");
    mutants.Replace(condition, "false");
  }
}

void ShiftLoops(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.Is(i, "for") || HeadOf(source, i) == kNone) continue;
    const std::vector<Range> parts = LoopParts(source, HeadOf(source, i));
    if (parts.size() != 3) continue;
    ShiftValueAfter(source, parts[0], "=", mutants);
    ShiftValueAfter(source, parts[2], "+=", mutants);
    ShiftValueAfter(source, parts[2], "-=", mutants);
    const Range step = parts[2];
    if (step.end != step.begin + 2) continue;
    for (const auto& [from, to] : {std::pair{"++", " += 2"}, std::pair{"--", " -= 2"}}) {
      const bool before = source.Is(step.begin, from);
      if (!before && !source.Is(step.begin + 1, from)) continue;
      const Token& name = source.tokens()[before ? step.begin + 1 : step.begin];
      mutants.Replace(step, std::string(name.text) + to);
    }
  }
}

}  // namespace warpcheck::mutation
