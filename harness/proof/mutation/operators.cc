#include "proof/mutation/operators.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace warpcheck::mutation {
namespace {

using Change = std::pair<std::string_view, std::string_view>;

// The operators with two operands, each with its replacements.
constexpr auto kChanges = std::to_array<Change>({
    {"<", "<="},  {"<=", "<"},  {">", ">="},  {">=", ">"},  {"==", "!="},   {"!=", "=="},
    {"&&", "||"}, {"||", "&&"}, {"+", "-"},   {"-", "+"},   {"*", "+"},     {"/", "*"},
    {"%", "/"},   {"<<", ">>"}, {">>", "<<"}, {"&", "|"},   {"|", "&"},     {"^", "|"},
    {"+=", "-="}, {"-=", "+="}, {"*=", "/="}, {"/=", "*="}, {"<<=", ">>="}, {">>=", "<<="},
    {"&=", "|="}, {"|=", "&="}, {"+=", "="},  {"-=", "="},  {"*=", "="},    {"/=", "="},
});

}  // namespace

void ChangeOperators(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.IsBinary(i)) continue;
    for (const auto& [from, to] : kChanges) {
      if (source.Is(i, from)) mutants.Replace(i, std::string(to));
    }
  }
}

void DropOperands(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.Is(i, "&&") && !source.Is(i, "||")) continue;
    if (!source.IsBinary(i)) continue;  // this mark begins a reference to an rvalue
    const Range left = LeftOperand(source, i);
    const Range right = RightOperand(source, i);
    mutants.Remove({left.begin, i + 1});
    mutants.Remove({i, right.end});
  }
}

void DropSigns(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i + 1 < source.tokens().size(); ++i) {
    const bool sign = (source.Is(i, "-") && !source.IsBinary(i)) || source.Is(i, "!");
    if (sign) mutants.Remove({i, i + 1});
  }
}

}  // namespace warpcheck::mutation
